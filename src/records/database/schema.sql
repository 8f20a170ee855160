-- What a run is: one row of JSON.
CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    header TEXT NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0
) STRICT;
-- The settings that results depend on, by the paths of their keys.
CREATE TABLE setting (
    path TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- Finished games by their numbers in the schedule.
CREATE TABLE game (
    number INTEGER PRIMARY KEY,
    -- Counts up in the order in which they ended.
    ended INTEGER NOT NULL,
    round INTEGER NOT NULL,
    game INTEGER NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    result TEXT NOT NULL,
    reason TEXT NOT NULL,
    article TEXT,
    sentence TEXT NOT NULL,
    plies INTEGER NOT NULL,
    started TEXT NOT NULL,
    fen TEXT,
    verdict TEXT NOT NULL,
    detail TEXT,
    flag_fall TEXT,
    moves BLOB NOT NULL,
    dialogue BLOB NOT NULL
) STRICT;
-- Few, and looked for at the end of every run.
CREATE INDEX faulty_game ON game (number)
    WHERE reason IN ('flag_fall', 'illegal_move', 'disconnect', 'stall', 'protocol_violation');
-- Games that counted for nothing and were played again.
CREATE TABLE annulment (
    id INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    cause TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
-- What engines did wrong without losing a game by it.
CREATE TABLE fault (
    id INTEGER PRIMARY KEY,
    number INTEGER,
    engine TEXT NOT NULL,
    words TEXT NOT NULL
) STRICT;
