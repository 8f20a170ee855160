//! Dialogues for the scripted engine to replay: valid ones in pieces, valid ones with faults, and noise.

use crate::support::SCHOLARS_MATE;

/// A stream of numbers that a seed decides (SplitMix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// What a replayed engine does.
#[derive(Clone)]
enum Step {
    Write(Vec<u8>),
    Pause(usize),
    Await,
    Do(&'static str),
}

/// Words and numbers that lead a reader of UCI astray.
const WORDS: &[&str] = &[
    "bestmove",
    "bestmove ",
    "ponder",
    "info",
    "string",
    "pv",
    "score",
    "cp",
    "mate",
    "depth",
    "multipv",
    "nodes",
    "time",
    "lowerbound",
    "uciok",
    "readyok",
    "id",
    "name",
    "option",
    "type",
    "spin",
    "combo",
    "var",
    "default",
    "min",
    "max",
    "button",
    "check",
    "registration",
    "copyprotection",
    "e2e4",
    "e7e5",
    "d1h5",
    "e1g1",
    "e1h1",
    "a7a8q",
    "0000",
    "(none)",
    "O-O",
    "-1",
    "99999999999999999999",
    "-9223372036854775808",
    "4294967296",
    "1e9",
    "claim draw",
    "resign",
    "offer draw",
    "\0",
    "\r",
    "\t",
    "\u{fffd}",
    "\u{1f600}",
    "\"",
    "\\",
    "{",
    "}",
    "%",
    ";",
    "[White \"x\"]",
    "1-0",
    "\n",
    "\n\n",
    "\r\n",
];

const ENDINGS: &[&str] = &["close-stdin", "close-stdout", "close-stderr", "die 0", "die 9"];

/// A whole game without a fault, as White or Black, in pieces of random sizes with pauses.
pub fn in_pieces(white: bool, random: &mut Random) -> String {
    let mut steps = Vec::new();
    for step in valid(white) {
        match step {
            Step::Write(text) => cut(&text, random, &mut steps),
            other => steps.push(other),
        }
    }
    written(&steps)
}

/// Anything.
pub fn hostile(white: bool, random: &mut Random) -> String {
    let steps = match random.below(6) {
        0 => noise(random),
        1 => soup(random),
        _ => mutated(white, random),
    };
    // One that hangs costs time: most of those that are unlikely to be understood end.
    let end = steps.len() != valid(white).len() && !random.one_in(4);
    let steps = steps.into_iter().chain(end.then_some(Step::Do("die 0")));
    let mut pieces = Vec::new();
    for step in steps {
        match step {
            Step::Write(text) if text.len() < 4096 && random.one_in(4) => cut(&text, random, &mut pieces),
            other => pieces.push(other),
        }
    }
    written(&pieces)
}

fn valid(white: bool) -> Vec<Step> {
    let say = |text: &str| Step::Write(text.as_bytes().to_vec());
    let mut steps = vec![
        Step::Await,
        say("id name Replay\nid author Nobody\noption name Ponder type check default false\nuciok\n"),
        Step::Await,
    ];
    steps.extend([say("readyok\n"), Step::Await, Step::Await, say("readyok\n")]);
    let moves: Vec<&str> = SCHOLARS_MATE.split(' ').collect();
    for (ply, own) in moves.iter().enumerate().skip(usize::from(!white)).step_by(2) {
        let ponder = moves.get(ply + 1).map_or(String::new(), |next| format!(" ponder {next}"));
        steps.extend([Step::Await, Step::Await]);
        steps.push(say(&format!("info depth 1 seldepth 2 multipv 1 score cp 13 nodes 20 time 1 pv {own}\n")));
        steps.push(say(&format!("bestmove {own}{ponder}\n")));
    }
    steps
}

fn cut(text: &[u8], random: &mut Random, steps: &mut Vec<Step>) {
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, more) = rest.split_at((1 + random.below(12)).min(rest.len()));
        steps.push(Step::Write(piece.to_vec()));
        if random.one_in(3) {
            steps.push(Step::Pause(random.below(1500)));
        }
        rest = more;
    }
}

fn mutated(white: bool, random: &mut Random) -> Vec<Step> {
    let mut steps = valid(white);
    // Mostly nothing before the first search is touched, so that the search is reached.
    let first = if random.one_in(4) { 0 } else { 7 };
    for _ in 0..=random.below(4) {
        let at = first + random.below(steps.len().saturating_sub(first));
        match random.below(12) {
            0 => drop(steps.remove(at)),
            1 => steps.insert(at, steps[at].clone()),
            2 => steps.swap(at, first),
            3 => steps.insert(at, Step::Do(ENDINGS[random.below(ENDINGS.len())])),
            4 => steps.insert(at, Step::Pause(random.below(150_000))),
            5 => steps.insert(at, Step::Await),
            6 if random.one_in(6) => steps.insert(at, Step::Write(blob(random))),
            6 | 7 => steps.insert(at, Step::Write(words(random))),
            _ => {
                if let Step::Write(text) = &mut steps[at] {
                    mutate(text, random);
                }
            }
        }
        if steps.len() <= first + 1 {
            break;
        }
    }
    steps
}

fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(text.len());
        match random.below(6) {
            0 if !text.is_empty() => text[at] = random.byte(),
            1 if !text.is_empty() => drop(text.remove(at)),
            2 => text.insert(at, random.byte()),
            3 => text.truncate(at),
            4 => drop(text.splice(at..at, random.pick(WORDS).bytes())),
            _ => text.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b'\r'),
        }
    }
}

/// Up to two mebibytes of one byte.
fn blob(random: &mut Random) -> Vec<u8> {
    vec![*random.pick(&[b'x', b' ', 0, 0xff, b'\n', b'\r']); random.below(2 << 20)]
}

fn words(random: &mut Random) -> Vec<u8> {
    let number = random.below(30);
    (0..number)
        .map(|_| format!("{}{}", random.pick(WORDS), random.pick(&[" ", "", "\n"])))
        .collect::<String>()
        .into_bytes()
}

/// Lines of UCI's words in no order.
fn soup(random: &mut Random) -> Vec<Step> {
    let number = 1 + random.below(20);
    (0..number).flat_map(|_| [Step::Write(words(random)), Step::Await]).collect()
}

fn noise(random: &mut Random) -> Vec<Step> {
    let number = 1 + random.below(6);
    (0..number)
        .flat_map(|_| {
            let length = random.below(5000);
            let bytes = (0..length).map(|_| random.byte()).collect();
            [Step::Write(bytes), Step::Pause(random.below(20_000))]
        })
        .collect()
}

fn written(steps: &[Step]) -> String {
    let line = |step: &Step| match step {
        Step::Write(text) => format!("write {}\n", escaped(text)),
        Step::Pause(microseconds) => format!("pause {microseconds}\n"),
        Step::Await => "await\n".to_owned(),
        Step::Do(what) => format!("{what}\n"),
    };
    steps.iter().map(line).collect()
}

fn escaped(text: &[u8]) -> String {
    let escape = |byte: &u8| match byte {
        b'!'..=b'[' | b']'..=b'~' => char::from(*byte).to_string(),
        other => format!("\\x{other:02x}"),
    };
    text.iter().map(escape).collect()
}
