//! The search: iterative deepening alpha-beta over any game that can be evaluated.
//!
//! It prints nothing: results go to a [`Listener`]. With one thread and a limit of nodes or depth it is deterministic.

pub mod history;
pub mod info;
mod iterate;
pub mod limits;
pub mod margins;
pub mod mate;
mod node;
pub mod picker;
pub mod pool;
mod quiescence;
pub mod score;
pub mod see;
pub mod table;
pub mod tables;
pub mod threats;
pub mod time;
mod worker;

pub use info::{Event, Info, Listener, each_line};
pub use limits::{Clock, Control, Limits, Settings};
pub use margins::Margins;
pub use pool::{Memory, STACK, Search, find_best};
pub use score::{Bound, MATE, Score};
pub use table::Table;
pub use tables::{Endgames, Known};
