use super::*;
use proptest::prelude::*;

fn read(text: &str) -> TimeControl {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(text: &str) -> String {
    match text.parse::<TimeControl>() {
        Ok(read) => panic!("{text} was read as {read}"),
        Err(error) => error.to_string(),
    }
}

fn period(moves: u32, base_ms: u64, increment_ms: u64) -> Period {
    Period {
        moves: NonZeroU32::new(moves),
        base: Duration::from_millis(base_ms),
        bonus: match increment_ms {
            0 => Bonus::None,
            increment_ms => Bonus::Increment(Duration::from_millis(increment_ms)),
        },
    }
}

fn periods(text: &str) -> Vec<Period> {
    match read(text).timing {
        Timing::Clock(periods) => periods.as_slice().to_vec(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn clocks() {
    for (text, periods) in [
        ("60+0.6", vec![period(0, 60_000, 600)]),
        ("60", vec![period(0, 60_000, 0)]),
        ("0+0.3", vec![period(0, 0, 300)]),
        ("5:00+3", vec![period(0, 300_000, 3_000)]),
        ("0:07.5", vec![period(0, 7_500, 0)]),
        ("5m+3s", vec![period(0, 300_000, 3_000)]),
        ("250ms+10ms", vec![period(0, 250, 10)]),
        ("40/60+0.5", vec![period(40, 60_000, 500)]),
        (
            "40/60+0.5:20/30:10+1",
            vec![period(40, 60_000, 500), period(20, 30_000, 0), period(0, 10_000, 1_000)],
        ),
        ("40/2h:1h", vec![period(40, 7_200_000, 0), period(0, 3_600_000, 0)]),
    ] {
        let read = read(text);
        assert_eq!(read.timing, Timing::Clock(Periods::new(periods).unwrap()), "{text}");
        assert_eq!((read.nodes, read.depth), (None, None), "{text}");
    }
}

#[test]
fn limits_and_combinations() {
    let hundred = Timing::MoveTime(Duration::from_millis(100));
    assert_eq!(read("movetime=100ms"), TimeControl { timing: hundred, nodes: None, depth: None, mate: None });
    assert_eq!(read("inf"), TimeControl { timing: Timing::Unlimited, nodes: None, depth: None, mate: None });
    let both = read("nodes=20000,depth=8");
    assert_eq!(
        (both.timing, both.nodes, both.depth),
        (Timing::Unlimited, NonZeroU64::new(20_000), NonZeroU32::new(8))
    );
    assert_eq!(read(" 60+0.6   nodes=20000 "), read("nodes=20000, 60+0.6"));
    assert_eq!(read("nodes=18446744073709551615").nodes, Some(NonZeroU64::MAX));
}

#[test]
fn delays() {
    let seconds = Duration::from_secs;
    let bonuses = |text: &str| periods(text).iter().map(|period| period.bonus).collect::<Vec<_>>();
    for (text, expected) in [
        ("60 delay=3", vec![Bonus::Delay(seconds(3))]),
        ("bronstein=2.5s, 40/60", vec![Bonus::Bronstein(Duration::from_millis(2500))]),
        ("0 delay=3", vec![Bonus::Delay(seconds(3))]),
        ("5:00 delay=0", vec![Bonus::None]),
        ("60+1 delay=0 bronstein=0s", vec![Bonus::Increment(seconds(1))]),
        ("40/60:20/30 delay=3", vec![Bonus::Delay(seconds(3)); 2]),
        ("40/60:20/30 delay=3:2", vec![Bonus::Delay(seconds(3)), Bonus::Delay(seconds(2))]),
        (
            "40/60+1:20/30:10:5 delay=0:2:0:0 bronstein=0:0:4:0",
            vec![
                Bonus::Increment(seconds(1)),
                Bonus::Delay(seconds(2)),
                Bonus::Bronstein(seconds(4)),
                Bonus::None,
            ],
        ),
    ] {
        // A period before the last one needs moves.
        let text = text.replace(":10:5 ", ":1/10:5 ");
        assert_eq!(bonuses(&text), expected, "{text}");
    }
    for (text, shown) in [
        ("0:30 delay=3000ms", "30 delay=3"),
        ("40/60:20/30 delay=3:3 nodes=5", "40/60:20/30 delay=3 nodes=5"),
        ("40/60:30 bronstein=3:0 mate=4", "40/60:30 bronstein=3:0 mate=4"),
        ("2/6+1:3 delay=0:0.5", "2/6+1:3 delay=0:0.5"),
        ("60 delay=0", "60"),
    ] {
        assert_eq!(read(text).to_string(), shown, "{text}");
    }
}

#[test]
fn refusals_say_why() {
    for (text, error) in [
        (
            "",
            "a time control is missing, such as `60+0.6`, `40/60+0.5`, `movetime=100ms`, `nodes=20000` or `inf`",
        ),
        ("fast", "`fast` is not a time control, such as `60+0.6`, `40/60+0.5:20/30` or `5:00+3`"),
        ("-5+1", "`-5+1` is not a time control, such as `60+0.6`, `40/60+0.5:20/30` or `5:00+3`"),
        ("node=5", "there is no limit called `node`: did you mean `nodes`?"),
        ("60 Delay=5", "there is no limit called `Delay`: did you mean `delay`?"),
        ("60 bronstien=5", "there is no limit called `bronstien`: did you mean `bronstein`?"),
        (
            "60 wait=5",
            "there is no limit called `wait`: use `movetime=100ms`, `nodes=20000`, `depth=8` or `mate=5`",
        ),
        ("60 delay 3", "`delay` needs a value, as in `delay=3`"),
        ("movetime", "`movetime` needs a value, as in `movetime=100ms`"),
        ("delay=3", "`delay` needs a clock, as in `60 delay=3`"),
        ("movetime=1 bronstein=3", "`bronstein` needs a clock, as in `60 bronstein=3`"),
        (
            "60 delay=3:2",
            "`delay` has 2 values and the clock has 1 period: give one value for all periods, or one for each, with \
             `0` for none",
        ),
        (
            "40/60:20/30:10 bronstein=3:2",
            "`bronstein` has 2 values and the clock has 3 periods: give one value for all periods, or one for each, \
             with `0` for none",
        ),
        (
            "60+1 delay=3",
            "an increment and a delay, or two kinds of delay, can't be combined in one period: give one of them",
        ),
        (
            "40/60+1:20/30 delay=3",
            "an increment and a delay, or two kinds of delay, can't be combined in one period: give one of them",
        ),
        (
            "60 delay=3 bronstein=3",
            "an increment and a delay, or two kinds of delay, can't be combined in one period: give one of them",
        ),
        ("60 delay=3 delay=3", "`delay` is given twice"),
        ("60 delay=-3", "a duration can't be negative: `-3`"),
        ("60 delay=", "a duration is missing, such as `250ms`, `2.5s`, `5m` or `1h`"),
        ("mate=0", "`0` is not a number of moves to mate: use a whole number from 1 to 4294967295"),
        (
            "60 hourglass",
            "hourglass clocks are not supported: use an increment (`60+0.6`), a delay (`60 delay=3`) or a Bronstein \
             delay (`60 bronstein=3`)",
        ),
        (
            "hourglass=60",
            "hourglass clocks are not supported: use an increment (`60+0.6`), a delay (`60 delay=3`) or a Bronstein \
             delay (`60 bronstein=3`)",
        ),
        ("nodes=0", "`0` is not a number of nodes: use a whole number from 1 to 18446744073709551615"),
        ("depth=-1", "`-1` is not a number of plies of depth: use a whole number from 1 to 4294967295"),
        ("0/60", "`0` is not a number of moves: use a whole number from 1 to 4294967295"),
        ("nodes=5 nodes=6", "`nodes` is given twice"),
        ("60+1 5+1", "a clock is given twice"),
        ("60+1 movetime=1s", "a clock and `movetime` can't be combined: give one of them"),
        ("inf depth=3", "`inf` stands alone: it means that nothing limits the search"),
        ("0", "`0` gives no time at all: a base, an increment or a delay must be above 0, such as `60+0.6`"),
        (
            "movetime=0",
            "`movetime=0` gives no time at all: a base, an increment or a delay must be above 0, such as `60+0.6`",
        ),
        ("60:40/30", "`60` needs a number of moves, as in `40/60`: only the last period may go without one"),
        (
            "5:75",
            "`5:75` is not minutes and seconds, such as `5:00`; periods need moves, as in `40/60:20/30`",
        ),
        ("40/60:", "a duration is missing, such as `250ms`, `2.5s`, `5m` or `1h`"),
        ("60+", "a duration is missing, such as `250ms`, `2.5s`, `5m` or `1h`"),
        ("60+-1", "a duration can't be negative: `-1`"),
        ("1000000h", "`1000000h` is longer than 10000 hours, the most that is accepted"),
    ] {
        assert_eq!(refusal(text), error, "{text}");
    }
    for text in [
        "40/", "/60", "1:2:3", "5:0", "nan", "60+nan", "60++1", "1:00s", "40/5:00", "+5/60", "nodes=+5", "=5",
    ] {
        let _ = refusal(text);
    }
}

#[test]
fn c_12_a_clock_and_a_fixed_time_for_each_move_are_refused_together() {
    for text in ["60+1 movetime=1s", "movetime=1s 40/60", "60 delay=1 movetime=2 nodes=5"] {
        assert_eq!(refusal(text), "a clock and `movetime` can't be combined: give one of them", "{text}");
    }
}

#[test]
fn constructors_check() {
    assert_eq!(Periods::new(vec![]), Err(TimeControlError::Empty));
    let long = Period { base: Duration::MAX, ..period(0, 1, 0) };
    assert!(matches!(Periods::new(vec![long]), Err(TimeControlError::Duration(DurationError::TooLong(_)))));
    let periods = Periods::new(vec![period(40, 60_000, 0), period(20, 30_000, 0)]).unwrap();
    assert_eq!(
        [0, 1, 2, 99].map(|index| periods.get(index).moves.map(NonZeroU32::get)),
        [40, 20, 20, 20].map(Some)
    );
}

#[test]
fn pgn_tags() {
    for (text, tag) in [
        ("40/60+0.5:20/30", "40/60+0.5:20/30"),
        ("60+0.6 nodes=100", "60+0.6"),
        ("5:00+3", "300+3"),
        ("movetime=100ms", "-"),
        ("nodes=20000", "-"),
        ("inf", "-"),
        ("mate=3", "-"),
        ("60 delay=3 nodes=9", "?"),
        ("40/60:20/30 bronstein=0:2", "?"),
    ] {
        assert_eq!(read(text).pgn_tag(), tag, "{text}");
        assert_eq!(read(text).has_delay(), tag == "?", "{text}");
    }
}

fn any_duration() -> impl Strategy<Value = Duration> {
    prop_oneof![Just(0), 1..10_000_u64, 0..=36_000_000_000_000_000_u64].prop_map(Duration::from_nanos)
}

fn any_bonus() -> impl Strategy<Value = Bonus> {
    any_duration().prop_flat_map(|time| {
        if time.is_zero() {
            return Just(Bonus::None).boxed();
        }
        prop_oneof![Just(Bonus::Increment(time)), Just(Bonus::Delay(time)), Just(Bonus::Bronstein(time))]
            .boxed()
    })
}

fn any_period(with_moves: bool) -> impl Strategy<Value = Period> {
    (1..=u32::MAX, any_duration(), any_bonus(), any::<bool>()).prop_map(move |(moves, base, bonus, any)| {
        let base = if base.is_zero() && bonus == Bonus::None { Duration::from_secs(1) } else { base };
        Period { moves: NonZeroU32::new(moves).filter(|_| with_moves || any), base, bonus }
    })
}

fn any_timing() -> impl Strategy<Value = Timing> {
    prop_oneof![
        Just(Timing::Unlimited),
        (1..=36_000_000_000_000_000_u64).prop_map(|nanos| Timing::MoveTime(Duration::from_nanos(nanos))),
        (prop::collection::vec(any_period(true), 0..4), any_period(false)).prop_map(|(mut periods, last)| {
            periods.push(last);
            Timing::Clock(Periods::new(periods).unwrap())
        }),
    ]
}

proptest! {
    #[test]
    fn written_time_controls_read_back(
        timing in any_timing(), nodes in any::<u64>(), depth in any::<u32>(), mate in 0_u32..9,
    ) {
        let control = TimeControl {
            timing,
            nodes: NonZeroU64::new(nodes),
            depth: NonZeroU32::new(depth),
            mate: NonZeroU32::new(mate),
        };
        prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,30}|[0-9/:+. =,a-z]{0,40}") {
        let _ = text.parse::<TimeControl>();
    }
}
