use proptest::prelude::*;
use shakmaty::CastlingMode;

use super::*;
use crate::law::notation::fen;
use crate::law::policy::DeadPositionRule;

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

fn draw(from_move: u32, count: u32, centipawns: u32) -> DrawRule {
    let (from_move, count) = (number(from_move), number(count));
    DrawRule { from_move, count, centipawns, reset_on_zeroing: false }
}

fn by_draw(rule: DrawRule) -> AdjudicationRules {
    AdjudicationRules { draw: Some(rule), ..AdjudicationRules::default() }
}

fn by_resign(count: u32, centipawns: u32, two_sided: bool) -> AdjudicationRules {
    let rule = ResignRule { count: number(count), centipawns: number(centipawns), two_sided };
    AdjudicationRules { resign: Some(rule), ..AdjudicationRules::default() }
}

fn by_moves(limit: u32) -> AdjudicationRules {
    AdjudicationRules { max_moves: Some(number(limit)), ..AdjudicationRules::default() }
}

/// `-35`, `m5`, `m-2`, `m0`, `-` for none; with an `x` after it the move was a capture or a pawn move.
fn parse(token: &str) -> (Option<Score>, bool) {
    let (text, zeroing) = token.strip_suffix('x').map_or((token, false), |text| (text, true));
    let score = match (text, text.strip_prefix('m')) {
        ("-", _) => None,
        (_, Some(moves)) => Some(Score::MateIn(moves.parse().unwrap())),
        (centipawns, None) => Some(Score::Centipawns(centipawns.parse().unwrap())),
    };
    (score, zeroing)
}

/// The ply after which the engines' scores end a game, and by what; the first one is that of `first`'s move, which has
/// this number.
fn end_of(
    rules: &AdjudicationRules,
    first: Color,
    move_number: u32,
    scores: impl IntoIterator<Item = (Option<Score>, bool)>,
) -> Option<(usize, Adjudication)> {
    let mut adjudicator = Adjudicator::new(rules);
    let (mut mover, mut move_number) = (first, move_number);
    for (index, (score, zeroing)) in scores.into_iter().enumerate() {
        adjudicator.note_move(mover, score, zeroing);
        move_number += u32::from(mover == Color::Black);
        mover = !mover;
        if let Some(adjudication) = adjudicator.decide(None, number(move_number)) {
            return Some((index + 1, adjudication));
        }
    }
    None
}

fn ply_of(rules: &AdjudicationRules, first: Color, move_number: u32, scores: &str) -> Option<usize> {
    let scores = scores.split_ascii_whitespace().map(parse);
    end_of(rules, first, move_number, scores).map(|(ply, _)| ply)
}

/// The ply, and who loses.
fn resigned(rules: &AdjudicationRules, first: Color, scores: &str) -> Option<(usize, Color)> {
    match end_of(rules, first, 1, scores.split_ascii_whitespace().map(parse)) {
        Some((ply, Adjudication::Resign { loser, .. })) => Some((ply, loser)),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn s_08_a_draw_needs_the_scores_of_both_sides_for_all_moves() {
    for (scores, ply) in [
        // Two moves of each side: neither three plies nor one more than four.
        ("0 0 0", None),
        ("0 0 0 0", Some(4)),
        ("10 -10 -10 10", Some(4)),
        // 0.11 is outside, and the count begins after it.
        ("11 0 0 0", None),
        ("11 0 0 0 0", Some(5)),
        ("0 0 0 -11 0 0 0 0", Some(8)),
        ("0 0 -11 0 0 0 0", Some(7)),
        // White alone thinks that it is level.
        ("0 50 0 50 0 50 0 50", None),
        // No score is not a score of 0; a mate is none either.
        ("0 0 - 0 0 0 0", Some(7)),
        ("0 0 0 m0 0 0 0 0", Some(8)),
        ("0 0 0 m9 0 0", None),
        // What was captured or pushed doesn't matter.
        ("0 0x 0x 0", Some(4)),
    ] {
        for first in Color::ALL {
            // From move 1 on nothing hangs on its number.
            let rules = by_draw(draw(1, 2, 10));
            assert_eq!(ply_of(&rules, first, 7, scores), ply, "{first}: {scores}");
        }
    }
}

#[test]
fn s_08_the_count_begins_anew_at_a_zeroing_move_where_the_setting_says_so() {
    let rules = by_draw(DrawRule { reset_on_zeroing: true, ..draw(1, 2, 10) });
    for (scores, ply) in [
        ("0 0 0 0", Some(4)),
        // The zeroing move is the first of the four.
        ("0 0x 0 0 0", Some(5)),
        ("0 0 0 0x 0 0 0", Some(7)),
        ("0 0 0x 50 0 0 0 0", Some(8)),
    ] {
        for first in Color::ALL {
            assert_eq!(ply_of(&rules, first, 7, scores), ply, "{first}: {scores}");
        }
    }
}

#[test]
fn o_11_the_number_of_the_move_is_that_of_the_position() {
    let level = "0 0 0 0 0 0 0 0 0 0 0 0";
    for (first, start, ply) in [
        // Move 3 is complete after Black's answer, wherever the counting begins.
        (Color::White, 1, 6),
        (Color::Black, 1, 5),
        (Color::White, 2, 4),
        (Color::Black, 2, 3),
        (Color::White, 3, 2),
        // Black's move alone: a move of White's is needed too.
        (Color::Black, 3, 2),
        (Color::White, 30, 2),
        (Color::Black, 30, 2),
    ] {
        assert_eq!(ply_of(&by_draw(draw(3, 1, 0)), first, start, level), Some(ply), "{first} at {start}");
    }
    // Moves before it are counted: at move 4 two level moves of each side lie behind.
    assert_eq!(ply_of(&by_draw(draw(4, 2, 0)), Color::White, 1, level), Some(8));
    assert_eq!(ply_of(&by_draw(draw(4, 2, 0)), Color::White, 1, "0 0 0 0 0 0 9 0 0 0 0"), Some(11));
}

#[test]
fn s_08_a_side_resigns_by_its_own_scores() {
    for (scores, end) in [
        ("0 -600 0 -600", None),
        ("0 -600 0 -600 0 -600", Some(6)),
        ("0 -600 0 -599 0 -600 0 -600 0 -600", Some(10)),
        ("0 -600 0 - 0 -600 0 -600", None),
        ("0 -9000 0 m-4 0 m0", Some(6)),
        ("0 -600 0 m4 0 -600 0 -600", None),
        // The sign counts, and what the opponent thinks doesn't.
        ("0 600 0 600 0 600", None),
        ("-599 -600 -599 -600 -599 -600", Some(6)),
    ] {
        for first in Color::ALL {
            let rules = by_resign(3, 600, false);
            assert_eq!(resigned(&rules, first, scores), end.map(|ply| (ply, !first)), "{scores}");
            // The same, with another move of the loser's before it.
            let (scores, end) = (format!("0 {scores}"), end.map(|ply| (ply + 1, first)));
            assert_eq!(resigned(&rules, first, &scores), end, "{scores}");
        }
    }
    // Whoever gets there first.
    assert_eq!(
        resigned(&by_resign(2, 600, false), Color::White, "-700 -700 -700 -700"),
        Some((3, Color::White))
    );
}

#[test]
fn a_two_sided_resignation_needs_the_winners_scores() {
    for (scores, end) in [
        ("600 -600 600 -600", Some(4)),
        // The winner was a move behind with its insight.
        ("0 -600 600 -600 600", Some(5)),
        ("0 -600 599 -600 599 -600", None),
        // Both think that they lose, or that they win.
        ("-600 -600 -600 -600 -600 -600", None),
        ("600 600 600 600 600 600", None),
        ("m5 m-5 m4 m-4", Some(4)),
        ("600 -600 - -600 600 -600", None),
        ("600 -600 - -600 600 -600 600", Some(7)),
    ] {
        for first in Color::ALL {
            assert_eq!(
                resigned(&by_resign(2, 600, true), first, scores),
                end.map(|ply| (ply, !first)),
                "{scores}"
            );
        }
    }
}

#[test]
fn the_move_limit_counts_the_moves_of_both_engines() {
    for first in Color::ALL {
        assert_eq!(ply_of(&by_moves(2), first, 50, "- - -"), None);
        assert_eq!(ply_of(&by_moves(2), first, 50, "- - - -"), Some(4));
        assert_eq!(ply_of(&by_moves(1), first, 1, "0 0"), Some(2));
    }
}

#[test]
fn the_order_of_the_rules() {
    let mut rules = AdjudicationRules {
        draw: Some(draw(1, 1, 1000)),
        resign: by_resign(1, 500, false).resign,
        max_moves: Some(number(1)),
        tables: None,
    };
    let decided = |rules: &AdjudicationRules, table| {
        let mut adjudicator = Adjudicator::new(rules);
        for side in Color::ALL {
            adjudicator.note_move(side, Some(Score::Centipawns(-500)), false);
        }
        adjudicator.decide(table, number(2)).map(Adjudication::name)
    };
    assert_eq!(decided(&rules, Some(TableAnswer::Draw)), Some("adjudication_tablebase"));
    assert_eq!(decided(&rules, None), Some("adjudication_resign"));
    rules.resign = None;
    assert_eq!(decided(&rules, None), Some("adjudication_draw"));
    rules.draw = None;
    assert_eq!(decided(&rules, None), Some("adjudication_move_limit"));
    rules.max_moves = None;
    assert_eq!(decided(&rules, None), None);
}

#[test]
fn scores_give_no_win_to_a_side_that_can_not_mate() {
    let ruling = |text: &str, lost: Color| {
        let start = fen::parse(text, CastlingMode::Standard).unwrap().chess;
        let state = GameState::new(start, CastlingMode::Standard, DeadPositionRule::Exact);
        let rules = by_resign(1, 600, false);
        let mut adjudicator = Adjudicator::new(&rules);
        assert_eq!(adjudicator.ruling(&state), None);
        adjudicator.note_move(lost, Some(Score::MateIn(-1)), false);
        adjudicator.ruling(&state).unwrap().to_string()
    };
    let lost = "Black's score was -6.00 or less for 1 move";
    let queen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    assert_eq!(ruling(queen, Color::Black), format!("White wins by adjudication: {lost}"));
    let own_queen = "q3k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(
        ruling(own_queen, Color::Black),
        format!("Draw by adjudication: {lost}, but White cannot mate")
    );
    // A blocked position, in which no one can mate: White's pieces are of no use to it.
    let blocked = "8/4k3/p1p1p1p1/P1P1P1P1/8/8/4K3/8 w - - 0 1";
    assert_eq!(ruling(blocked, Color::Black), "Draw by dead position (Article 5.2.2)");
}

fn any_score() -> impl Strategy<Value = (Option<Score>, bool)> {
    let score = prop_oneof![
        6 => (-9..=9).prop_map(|score| Some(Score::Centipawns(score))),
        6 => (-30..=30).prop_map(|score| Some(Score::Centipawns(score))),
        1 => (-3..=3).prop_map(|moves| Some(Score::MateIn(moves))),
        1 => Just(None),
    ];
    (score, prop::bool::weighted(0.1))
}

fn any_rules() -> impl Strategy<Value = AdjudicationRules> {
    let draw = prop::option::of((1..8_u32, 1..4_u32, 0..12_u32, any::<bool>()).prop_map(
        |(from_move, count, centipawns, reset_on_zeroing)| DrawRule {
            reset_on_zeroing,
            ..draw(from_move, count, centipawns)
        },
    ));
    let resign = prop::option::of(
        (1..4_u32, 1..25_u32, any::<bool>())
            .prop_map(|(count, score, two_sided)| by_resign(count, score, two_sided).resign.unwrap()),
    );
    let max_moves = prop::option::of((3..20_u32).prop_map(number));
    (draw, resign, max_moves).prop_map(|(draw, resign, max_moves)| AdjudicationRules {
        draw,
        resign,
        max_moves,
        tables: None,
    })
}

/// The first ply after which a rule holds, looked for in the whole list of scores anew at each ply.
fn by_definition(
    rules: &AdjudicationRules,
    first: Color,
    start: u32,
    scores: &[(Option<Score>, bool)],
) -> Option<(usize, &'static str)> {
    let mover = |index: usize| if index.is_multiple_of(2) { first } else { !first };
    let lost = |score: &Option<Score>, limit: i32| match score {
        Some(Score::Centipawns(score)) => *score <= -limit,
        Some(Score::MateIn(moves)) => *moves <= 0,
        None => false,
    };
    let won = |score: &Option<Score>, limit: i32| match score {
        Some(Score::Centipawns(score)) => *score >= limit,
        Some(Score::MateIn(moves)) => *moves > 0,
        None => false,
    };
    (1..=scores.len()).find_map(|plies| {
        let own = |side| (0..plies).rev().filter(move |index| mover(*index) == side).map(|index| &scores[index].0);
        let last = |side, count: usize, holds: &dyn Fn(&Option<Score>) -> bool| {
            own(side).count() >= count && own(side).take(count).all(holds)
        };
        if let Some(rule) = rules.resign {
            let (count, limit) = (rule.count.get() as usize, rule.centipawns.get() as i32);
            let resigns = |side: Color| {
                let agreed = !rule.two_sided || last(!side, count, &|score| won(score, limit));
                agreed && last(side, count, &|score| lost(score, limit))
            };
            if Color::ALL.into_iter().any(resigns) {
                return Some((plies, "adjudication_resign"));
            }
        }
        if let Some(rule) = rules.draw {
            let black_moves = (0..plies).filter(|index| mover(*index) == Color::Black).count() as u32;
            let window = 2 * rule.count.get() as usize;
            let level = |(score, _): &(Option<Score>, bool)| {
                matches!(score, Some(Score::Centipawns(score)) if score.unsigned_abs() <= rule.centipawns)
            };
            let holds = plies >= window
                && scores[plies - window..plies].iter().all(level)
                && !(rule.reset_on_zeroing && scores[plies - window + 1..plies].iter().any(|(_, zeroing)| *zeroing))
                && start + black_moves > rule.from_move.get();
            if holds {
                return Some((plies, "adjudication_draw"));
            }
        }
        let limit = rules.max_moves.filter(|limit| plies >= 2 * limit.get() as usize);
        limit.map(|_| (plies, "adjudication_move_limit"))
    })
}

proptest! {
    /// The counters agree with the rules as written, and so never act too early or too late.
    #[test]
    fn s_08_the_counters_do_what_the_rules_say(
        rules in any_rules(),
        black_first in any::<bool>(),
        start in 1..6_u32,
        scores in prop::collection::vec(any_score(), 0..40),
    ) {
        let first = if black_first { Color::Black } else { Color::White };
        let found = end_of(&rules, first, start, scores.iter().copied());
        let found = found.map(|(ply, adjudication)| (ply, adjudication.name()));
        prop_assert_eq!(found, by_definition(&rules, first, start, &scores));
    }

    /// With colours exchanged the other side loses, at the same ply; the number of the move, which Black completes, is
    /// left out.
    #[test]
    fn colours_make_no_difference(
        rules in any_rules(),
        scores in prop::collection::vec(any_score(), 0..40),
    ) {
        let ends = Color::ALL.map(|first| end_of(&rules, first, 50, scores.iter().copied()));
        let exchanged = ends[1].map(|(ply, adjudication)| match adjudication {
            Adjudication::Resign { loser, rule } => (ply, Adjudication::Resign { loser: !loser, rule }),
            other => (ply, other),
        });
        prop_assert_eq!(ends[0], exchanged);
    }
}
