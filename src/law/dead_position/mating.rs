//! Where a king can be mated at all, judged by the regions of the fixpoint.

use shakmaty::{Chess, Color, Role};

use super::regions::{Promotion, Regions};
use super::squares::{bit, each, king_steps};

/// Whether the regions alone show that `side` never mates.
///
/// The position must not be one on which mate already stands.
#[must_use]
pub fn regions_cannot_mate(position: &Chess, side: Color) -> bool {
    !can_be_mated(&Regions::of(position, Promotion::Allowed), side)
}

/// Whether some square passes the test of [`mating_squares`].
pub(super) fn can_be_mated(regions: &Regions, side: Color) -> bool {
    candidates(regions, side).next().is_some()
}

/// The squares on which `side` may mate the other king, as far as the regions tell.
pub(super) fn mating_squares(regions: &Regions, side: Color) -> u64 {
    candidates(regions, side).fold(0, |all, square| all | bit(square))
}

/// A square passes if it may be attacked and each neighbour may be attacked, or hold a frozen man of `side`
/// (taken to be guarded), or be next to one place of the mating king, or be blocked by a man of the mated side, no
/// man blocking two squares.
fn candidates(regions: &Regions, side: Color) -> impl Iterator<Item = u8> {
    let attacks = regions.attacks(side);
    let closed = attacks | regions.side(side).frozen;
    each(regions.king(!side).region & attacks).filter(move |&square| {
        let open = king_steps(bit(square)) & !closed;
        open == 0 || blocked_or_guarded(regions, side, square, open)
    })
}

fn blocked_or_guarded(regions: &Regions, side: Color, square: u8, open: u64) -> bool {
    let other = regions.side(!side);
    let blockable = if other.promotes { !0 } else { other.reach };
    let ring = king_steps(bit(square));
    let places = regions.king(side).region & king_steps(ring) & !ring & !bit(square);
    let guarded_by = |place: u8| king_steps(bit(place));
    std::iter::once(0)
        .chain(each(places).map(guarded_by))
        .map(|guarded| open & !guarded)
        .any(|left| left & !blockable == 0 && all_blocked(regions, !side, left))
}

/// Whether distinct men of `color` may stand on all `squares` at once.
fn all_blocked(regions: &Regions, color: Color, squares: u64) -> bool {
    if squares == 0 {
        return true;
    }
    let mut places = [0; 64];
    let mut count = 0;
    for man in regions.men().iter().filter(|man| man.color == color && man.role != Role::King) {
        places[count] = if man.promotes { !0 } else { man.region };
        count += 1;
    }
    distinct_places(&places[..count], squares)
}

/// Whether every square of `squares` can get a man of its own, where man `i` may stand on `places[i]`.
pub(super) fn distinct_places(places: &[u64], squares: u64) -> bool {
    let mut holder = [u8::MAX; 64];
    each(squares).all(|square| give_place(places, square, &mut holder, &mut 0))
}

/// One augmenting path of the bipartite matching of men and squares.
fn give_place(places: &[u64], square: u8, holder: &mut [u8; 64], tried: &mut u64) -> bool {
    for (i, place) in places.iter().enumerate() {
        if place & bit(square) == 0 || *tried & bit(i as u8) != 0 {
            continue;
        }
        *tried |= bit(i as u8);
        if holder[i] == u8::MAX || give_place(places, holder[i], holder, tried) {
            holder[i] = square;
            return true;
        }
    }
    false
}
