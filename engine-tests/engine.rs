//! Tests of the engine as a whole, from outside.
//!
//! - [`properties`]: what must hold in every position of every game, tried in random games and against the slow
//!   generator in [`oracle`];
//! - [`fens`], [`moves`]: what is said about texts that make no sense;
//! - [`outcomes`]: how games end;
//! - [`layers`]: which module may use which.
//!
//! What only one game knows is tested beside its rules.

mod fens;
mod layers;
mod mirror;
mod moves;
mod oracle;
mod outcomes;
mod properties;
