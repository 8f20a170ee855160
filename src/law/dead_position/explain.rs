//! Proofs in words.

use shakmaty::{Bitboard, Color, File, Rank, Role};

use super::proof::{
    ClosedSet, Leaf, ManRegion, MaterialProof, ProjectionProof, Proof, RegionProof, TempoProof, one_coloured,
};

/// Squares named one by one, at most.
const NAMED: usize = 10;

impl Proof {
    /// The proof in words: whole sentences, each of which can be checked on the board.
    #[must_use]
    pub fn explain(&self) -> String {
        match self {
            Proof::NoMoves => {
                "There is no legal move any more, and this is not a mate by that side.".to_owned()
            }
            Proof::Material(case) => case.explain(),
            Proof::Regions(regions) => {
                let (side, other) = (name(regions.side), name(!regions.side));
                let words = regions.explain();
                format!("{words} On no square that {other}'s king can ever reach can {side} mate it.")
            }
            Proof::Projection(projection) => projection.explain(),
            Proof::Tempo(tempo) => tempo.explain(),
            Proof::ClosedSet(set) => set.explain(),
        }
    }
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

impl MaterialProof {
    fn explain(self) -> String {
        match self {
            MaterialProof::KingOnly(side) => format!("{} has only the king left.", name(side)),
            MaterialProof::LoneKnight(side) => {
                let (side, other) = (name(side), name(!side));
                format!(
                    "{side} has only a knight, and {other} has no pawn, knight, bishop or rook to stand in its own \
                     king's way; a queen that did could take the knight wherever it gives check."
                )
            }
            MaterialProof::Bishops(side) => {
                let (side, other) = (name(side), name(!side));
                format!(
                    "{side} has only bishops on squares of one colour, and {other} has no knight and no bishop on \
                     the other colour to block its own king."
                )
            }
        }
    }
}

impl RegionProof {
    /// Where everything stays, White first, kings last.
    fn explain(&self) -> String {
        let mut sentences = Vec::new();
        for color in Color::ALL {
            self.explain_fixed(color, &mut sentences);
            for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                self.explain_movers(color, role, &mut sentences);
            }
            let king = self.men.iter().find(|man| man.piece == color.king());
            if let Some(king) = king.filter(|king| king.region != Bitboard::FULL) {
                sentences.push(format!("{}'s king never leaves {}.", name(color), squares(king.region)));
            }
        }
        sentences.join(" ")
    }

    fn men_of(&self, color: Color) -> impl Iterator<Item = &ManRegion> {
        self.men.iter().filter(move |man| man.piece.color == color && man.piece.role != Role::King)
    }

    fn explain_fixed(&self, color: Color, sentences: &mut Vec<String>) {
        let fixed: Bitboard = self.men_of(color).filter(|man| stays(man)).map(|man| man.square).collect();
        if fixed.any() {
            let verb = if fixed.count() == 1 { "man on" } else { "men on" };
            sentences.push(format!("{}'s {verb} {} can never move.", name(color), squares(fixed)));
        }
    }

    fn explain_movers(&self, color: Color, role: Role, sentences: &mut Vec<String>) {
        let movers = || self.men_of(color).filter(move |man| man.piece.role == role && !stays(man));
        let count = movers().count();
        if count == 0 {
            return;
        }
        let region = movers().fold(Bitboard::EMPTY, |all, man| all | man.region);
        let noun = if count == 1 { word(role).to_owned() } else { format!("{}s", word(role)) };
        let side = name(color);
        if movers().any(|man| man.promotes) {
            sentences.push(format!("{side}'s {noun} may promote."));
        } else if region != Bitboard::FULL {
            sentences.push(format!("{side}'s {noun} can only reach {}.", squares(region)));
        }
    }
}

fn stays(man: &ManRegion) -> bool {
    man.region == Bitboard::from(man.square) && !man.promotes
}

const fn word(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// A set of squares: by name, or as ranks, files and a colour where that says it.
fn squares(set: Bitboard) -> String {
    if set.count() <= NAMED {
        let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
        return names.join(", ");
    }
    let (place, all) = surroundings(set);
    let colour = one_coloured(set).map_or(String::new(), |colour| format!("{colour} "));
    let coloured = match one_coloured(set) {
        Some("dark") => all & Bitboard::DARK_SQUARES,
        Some(_) => all & Bitboard::LIGHT_SQUARES,
        None => all,
    };
    let which = if set == coloured { "the".to_owned() } else { set.count().to_string() };
    format!("{which} {colour}squares{place}")
}

/// The ranks and files that a set touches, in words and as a set.
fn surroundings(set: Bitboard) -> (String, Bitboard) {
    let ranks: Vec<Rank> =
        Rank::ALL.into_iter().filter(|rank| (set & Bitboard::from_rank(*rank)).any()).collect();
    let files: Vec<File> =
        File::ALL.into_iter().filter(|file| (set & Bitboard::from_file(*file)).any()).collect();
    let by_rank = ranks.iter().fold(Bitboard::EMPTY, |all, rank| all | Bitboard::from_rank(*rank));
    let by_file = files.iter().fold(Bitboard::EMPTY, |all, file| all | Bitboard::from_file(*file));
    let mut parts = Vec::new();
    if by_rank != Bitboard::FULL {
        parts.push(listed("rank", &ranks));
    }
    if by_file != Bitboard::FULL {
        parts.push(listed("file", &files));
    }
    let place = if parts.is_empty() { String::new() } else { format!(" of {}", parts.join(" and ")) };
    (place, by_rank & by_file)
}

fn listed(noun: &str, lines: &[impl ToString]) -> String {
    let names: Vec<String> = lines.iter().map(ToString::to_string).collect();
    format!("the {noun}{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
}

impl ProjectionProof {
    fn explain(&self) -> String {
        let (side, other) = (name(self.regions.side), name(!self.regions.side));
        let exact: Bitboard = self.exact.iter().copied().collect();
        let also =
            if exact.any() { format!(" and the men now on {}", squares(exact)) } else { String::new() };
        format!(
            "{} The pawns, the kings{also} were followed move by move, all other men allowed anywhere where they can \
             ever stand: {} can come about, and in none of them can {side} mate {other}'s king.",
            self.regions.explain(),
            plural(self.states.len(), "arrangement", "arrangements"),
        )
    }
}

impl TempoProof {
    fn explain(&self) -> String {
        let (waiter, runner) = (name(self.waiter), name(!self.waiter));
        let needed = match self.needed {
            Some(needed) => format!("needs at least {} to promote", plural(needed as usize, "move", "moves")),
            None => "can never promote".to_owned(),
        };
        let end = plural(self.available as usize, "move", "moves");
        format!(
            "{} {waiter} has only pawn moves left and is without a move after {end} of {runner}'s, but {runner} \
             {needed}; and as long as nobody promotes {} cannot mate.",
            self.regions.explain(),
            name(self.regions.side),
        )
    }
}

impl ClosedSet {
    fn explain(&self) -> String {
        let count = |leaf: Option<Leaf>| self.positions().filter(|(_, found)| *found == leaf).count();
        let side = name(self.side());
        let followed = plural(count(None), "position", "positions");
        let mut words = format!(
            "Every legal move was followed: {followed} can be reached, and in none of them has {side} given mate."
        );
        let reasons = [
            (Leaf::Material, "has not the men to mate"),
            (Leaf::Regions, "cannot mate because the men never leave their regions"),
            (Leaf::Tempo, "cannot mate because the other side, or it, runs out of moves first"),
        ];
        for (leaf, reason) in reasons {
            match count(Some(leaf)) {
                0 => {}
                1 => words += &format!(" In one more {side} {reason}."),
                more => words += &format!(" In {more} more {side} {reason}."),
            }
        }
        words
    }
}
