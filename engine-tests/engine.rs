//! Tests of the engine as a whole, from outside.
//!
//! - [`properties`]: properties of every position, tested in random games and against the slow generator in
//!   [`quintain_oracle`];
//! - [`fens`], [`moves`]: errors for invalid FENs and moves;
//! - [`outcomes`]: how games end;
//! - [`replay`]: games of matches, position by position against the oracle;
//! - [`tables`]: endgame tables, against the oracle.
//!
//! Rules of a single game are tested in its folder.

mod fens;
mod mirror;
mod moves;
mod outcomes;
mod properties;
mod replay;
mod tables;
