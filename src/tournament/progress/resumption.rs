//! A run that goes on with what an earlier one has played.

use shakmaty::ByColor;

use super::Progress;
use crate::game::record::GameRecord;
use crate::tournament::dispatcher::RunEnd;
use crate::tournament::earlier::EarlierGames;
use crate::tournament::finished_game::FinishedGame;
use crate::tournament::withdrawal;

impl Progress {
    /// Takes a game up that an earlier run has finished; before anything else happens to this one.
    ///
    /// # Errors
    /// The game has been taken up already, in words.
    pub fn take_up(&mut self, game: &FinishedGame) -> Result<(), String> {
        self.count(game)
    }

    /// Takes up all that an earlier run has played; before anything else happens to this one.
    ///
    /// # Errors
    /// The games can't be read, or are not of this schedule, in words.
    pub fn take_up_all(&mut self, earlier: &dyn EarlierGames) -> Result<(), String> {
        for (number, cause) in earlier.annulments()? {
            self.timekeeping.add_annulled(cause);
            *self.replays.entry(number).or_default() += 1;
        }
        earlier.each(&mut |record| self.take_up_game(record))?;
        self.end_if_over();
        // A run that was killed after its last game has an end to be told, and nothing else.
        self.begun = self.is_settled() && !earlier.is_concluded()?;
        Ok(())
    }

    fn take_up_game(&mut self, record: &GameRecord) -> Result<(), String> {
        let id = record.id;
        let place = |name: &String| self.names.iter().position(|other| other == name);
        let engines = record.names.as_ref().map(|name| place(name).ok_or(name));
        let engines = match engines {
            ByColor { white: Ok(white), black: Ok(black) } => ByColor { white, black },
            ByColor { white: Err(name), .. } | ByColor { black: Err(name), .. } => {
                return Err(format!(
                    "game {id} of the earlier run was played by {name}, which doesn't take part"
                ));
            }
        };
        if !self.plan.schedule.agrees(id, engines) {
            return Err(format!("game {id} of the earlier run does not stand so in this schedule"));
        }
        self.take_up(&FinishedGame::of(record, engines))?;
        self.timekeeping.add(record);
        self.replays.remove(&id.number);
        if let Some((engine, overdrawn)) = self.crash_budgets.charge(record) {
            self.withdrawals.add(engine, withdrawal::Cause::CrashBudget(overdrawn));
            self.plan.schedule.withdraw(engine);
        }
        Ok(())
    }

    /// Nothing can be played, for this reason; before any worker has started.
    pub fn give_up(&mut self, words: String) {
        self.end(RunEnd::Failed(words));
    }

    /// Only so many workers could be started.
    pub fn keep_workers(&mut self, workers: usize) {
        self.slots.truncate(workers);
    }

    /// Whether nothing is left to be played, before any worker has started.
    pub fn is_settled(&self) -> bool {
        self.ending.is_some()
    }
}
