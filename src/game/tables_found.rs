//! Which endgame tables were found, against those that there are.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

use super::tablebase::MOST_MEN;

/// Numbers of men, kings included, for which there are tables.
const MEN: RangeInclusive<usize> = 3..=MOST_MEN;
/// Kinds of men but the king.
const KINDS: usize = 5;

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Who wins: `.rtbw`.
    Wdl,
    /// How far it is to the next capture or pawn move: `.rtbz`.
    Dtz,
}

/// A table, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableName {
    /// What it holds.
    pub kind: TableKind,
    /// Men, kings included.
    pub men: usize,
}

/// The tables of some folders, each material once, and what was wrong with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TablesFound {
    wdl: BTreeSet<String>,
    dtz: BTreeSet<String>,
    left_out: Vec<String>,
}

impl TablesFound {
    /// Counts a file, if it has the name of a table.
    pub fn note(&mut self, path: &Path) -> Option<TableName> {
        let material = path.file_stem()?.to_str().filter(|stem| is_material(stem))?;
        let kind = match path.extension()?.to_str()? {
            "rtbw" => TableKind::Wdl,
            "rtbz" => TableKind::Dtz,
            _ => return None,
        };
        self.of(kind).insert(material.to_owned());
        Some(TableName { kind, men: men(material) })
    }

    /// Takes back a file that can't be used, and keeps why.
    pub fn leave_out(&mut self, path: &Path, kind: TableKind, error: &std::io::Error) {
        let material = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        self.of(kind).remove(material);
        self.left_out.push(format!("the endgame table {} can't be used: {error}", path.display()));
    }

    fn of(&mut self, kind: TableKind) -> &mut BTreeSet<String> {
        match kind {
            TableKind::Wdl => &mut self.wdl,
            TableKind::Dtz => &mut self.dtz,
        }
    }

    /// The most men of a table that tells who wins; `None` where there is no such table.
    pub fn most_men(&self) -> Option<usize> {
        self.wdl.iter().map(|material| men(material)).max()
    }

    /// Files that may be open at once for positions with so many men.
    pub fn files(&self, most: usize) -> usize {
        self.wdl.iter().chain(&self.dtz).filter(|material| men(material) <= most).count()
    }

    /// What the user should know when positions with at most `most` men are looked up.
    pub fn warnings(&self, most: usize, ignore_fifty: bool) -> Vec<String> {
        let mut warnings = self.left_out.clone();
        let lacking = |tables: &BTreeSet<String>| {
            (3..=most).find(|men| count(tables, *men) < all(*men)).map(|men| (men, all(men)))
        };
        if let Some((men, all)) = lacking(&self.wdl) {
            warnings.push(match count(&self.wdl, men) {
                0 => format!("no WDL table for {men} men was found: such positions are not adjudicated"),
                found => format!(
                    "only {found} of the {all} WDL tables for {men} men were found: other positions are not adjudicated"
                ),
            });
        }
        let without_distance = self.wdl.iter().filter(|name| men(name) <= most && !self.dtz.contains(*name));
        let without_distance: Vec<&str> = without_distance.map(String::as_str).collect();
        if let (Some(first), false) = (without_distance.first(), ignore_fifty) {
            let number = without_distance.len();
            let more = if number > 1 { format!(" and {} more", number - 1) } else { String::new() };
            warnings.push(format!(
                "no DTZ table for {first}{more}: wins there are adjudicated right after a capture or pawn move only"
            ));
        }
        warnings
    }
}

impl fmt::Display for TablesFound {
    /// `3 men (all 5), 4 men (29 WDL and 28 DTZ of 30)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = MEN.filter_map(|men| {
            let (wdl, dtz, all) = (count(&self.wdl, men), count(&self.dtz, men), all(men));
            match (wdl, dtz) {
                (0, 0) => None,
                _ if wdl >= all && dtz >= all => Some(format!("{men} men (all {all})")),
                _ => Some(format!("{men} men ({wdl} WDL and {dtz} DTZ of {all})")),
            }
        });
        f.write_str(&parts.collect::<Vec<_>>().join(", "))
    }
}

/// Whether a name is one of the generator's, `KQPvKR`: each side's men in order, kings first.
fn is_material(name: &str) -> bool {
    let is_side = |side: &str| {
        let ranks = side.bytes().map(|man| b"KQRBNP".iter().position(|known| *known == man));
        let ranks: Option<Vec<usize>> = ranks.collect();
        ranks.is_some_and(|ranks| ranks.iter().filter(|rank| **rank == 0).count() == 1 && ranks.is_sorted())
    };
    let sides = name.split_once('v');
    sides.is_some_and(|(one, other)| is_side(one) && is_side(other)) && MEN.contains(&men(name))
}

/// All letters but the `v` are men.
fn men(material: &str) -> usize {
    material.len().saturating_sub(1)
}

fn count(tables: &BTreeSet<String>, wanted: usize) -> usize {
    tables.iter().filter(|material| men(material) == wanted).count()
}

/// How many tables there are for so many men: each way to share them out, the same material of both sides once.
fn all(men: usize) -> usize {
    let others = men - 2;
    let shares = (others.div_ceil(2)..=others).map(|one| {
        let (one_side, other_side) = (selections(one), selections(others - one));
        if one * 2 == others { one_side * (one_side + 1) / 2 } else { one_side * other_side }
    });
    shares.sum()
}

/// Ways to choose so many men of [`KINDS`] kinds, in any order.
fn selections(men: usize) -> usize {
    (1..KINDS).fold(1, |ways, kind| ways * (men + kind) / kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_so_many_tables() {
        // As published: 5, 30, 110, 365 and 1001.
        assert_eq!(MEN.map(all).collect::<Vec<_>>(), [5, 30, 110, 365, 1001]);
    }

    #[test]
    fn names_of_tables() {
        let mut found = TablesFound::default();
        let wdl = |men| Some(TableName { kind: TableKind::Wdl, men });
        for (name, table) in [
            ("KQvK.rtbw", wdl(3)),
            ("KRBNPvKQ.rtbw", wdl(7)),
            ("KQPvKR.rtbz", Some(TableName { kind: TableKind::Dtz, men: 5 })),
            ("KvK.rtbw", None),
            ("KBQvK.rtbw", None),
            ("QvK.rtbw", None),
            ("KKvK.rtbw", None),
            ("KQQQQQQvK.rtbw", None),
            ("KQvK.rtbm", None),
            ("README.md", None),
        ] {
            assert_eq!(found.note(Path::new(name)), table, "{name}");
        }
        assert_eq!(found.most_men(), Some(7));
        assert_eq!((found.files(7), found.files(5), found.files(4)), (3, 2, 1));
    }

    fn found(names: &[&str]) -> TablesFound {
        let mut found = TablesFound::default();
        for name in names {
            assert!(found.note(Path::new(name)).is_some(), "{name}");
        }
        found
    }

    #[test]
    fn what_was_found_and_what_is_missing() {
        let three = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
        let files: Vec<String> =
            three.iter().flat_map(|name| [format!("{name}.rtbw"), format!("{name}.rtbz")]).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let complete = found(&files);
        assert_eq!(complete.to_string(), "3 men (all 5)");
        assert_eq!(complete.warnings(3, false), Vec::<String>::new());
        let missing = "no WDL table for 4 men was found: such positions are not adjudicated";
        assert_eq!(complete.warnings(5, false), [missing]);

        let wdl = found(&["KQvK.rtbw", "KRvK.rtbw", "KBvK.rtbw", "KNvK.rtbw", "KPvK.rtbw", "KPvK.rtbz"]);
        assert_eq!(wdl.to_string(), "3 men (5 WDL and 1 DTZ of 5)");
        let no_distance = "no DTZ table for KBvK and 3 more: wins there are adjudicated right after a capture or pawn move only";
        assert_eq!(wdl.warnings(3, false), [no_distance]);
        assert_eq!(wdl.warnings(3, true), Vec::<String>::new());
    }
}
