//! The façade: a session over any game. The type of the game is known below and erased here, once a command.

pub mod bench;
pub mod options;
pub mod registry;
pub mod session;
pub mod skill;

pub use bench::Bench;
pub use options::Options;
pub use registry::{NAMES, Visitor, visit};
pub use session::{Answer, GameInfo, MoveInfo, Place, Report, Session, info, open};
pub use skill::{Strength, any_seed, think};
