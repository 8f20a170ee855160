//! The rules of adjudication of a match file, its endgame tables opened; the same in words.

use std::sync::Arc;

use super::run::Refusal;
use super::stderr::tell;
use crate::config::LoadedMatch;
use crate::config::diagnostic::Diagnostic;
use crate::config::settings::{AdjudicationSettings, TablebaseSettings};
use crate::exit_code::Exit;
use crate::game::adjudication::AdjudicationRules;
use crate::game::tablebase::Tables;
use crate::report::counted::counted;

/// What a run adjudicates by, ready to be used.
pub(super) struct Adjudication {
    pub rules: AdjudicationRules,
    /// The files of endgame tables that may be open at once.
    pub files: usize,
    /// The rules in words in the order in which they are looked at; `off` where there are none.
    pub words: Vec<String>,
}

impl Adjudication {
    /// Tells which endgame tables were found.
    pub fn tell(&self) {
        if let (Some(_), Some(tables)) = (&self.rules.tables, self.words.first()) {
            tell(format_args!("adjudication: {tables}\n"));
        }
    }
}

/// Opens the endgame tables; what is missing of them is told.
///
/// # Errors
/// There are no tables, or they can't be read.
pub(super) fn open(loaded: &LoadedMatch) -> Result<Adjudication, Refusal> {
    let AdjudicationSettings { draw, resign, max_moves, tablebase } = &loaded.settings.adjudication;
    let mut rules = AdjudicationRules { draw: *draw, resign: *resign, max_moves: *max_moves, tables: None };
    let (mut files, mut words) = (0, Vec::new());
    if let Some(settings) = tablebase {
        let opened = open_tables(loaded, settings)?;
        words.push(opened.words);
        files = opened.files;
        rules.tables = Some(Arc::new(opened.tables));
    }
    words.extend(resign.map(|rule| rule.to_string()));
    words.extend(draw.map(|rule| rule.to_string()));
    words
        .extend(max_moves.map(|limit| format!("draw after {} of each engine", counted(limit.get(), "move"))));
    if words.is_empty() {
        words.push("off".to_owned());
    }
    Ok(Adjudication { rules, files, words })
}

struct Opened {
    tables: Tables,
    files: usize,
    words: String,
}

fn open_tables(loaded: &LoadedMatch, settings: &TablebaseSettings) -> Result<Opened, Refusal> {
    let TablebaseSettings { folders, men, ignore_fifty, place } = settings;
    let (tables, found) = Tables::open(folders, *men, *ignore_fifty).map_err(|error| {
        let error = Diagnostic::error(Some(*place), error.to_string());
        let error =
            error.with_hint("`path` names the folders themselves, divided by `:`, not those above them");
        Refusal { exit: Exit::Usage, message: loaded.errors(vec![error]).to_string() }
    })?;
    for warning in found.warnings(tables.men(), *ignore_fifty) {
        tell(Diagnostic::warning(Some(*place), warning).render(&loaded.sources));
    }
    let fifty = if *ignore_fifty { ", the fifty-move rule ignored" } else { "" };
    let words = format!("tablebase up to {} men{fifty}; found for {found}", tables.men());
    Ok(Opened { files: found.files(tables.men()), tables, words })
}
