//! Talking to GUIs: UCI and CECP (XBoard). The first line that comes in decides which.

pub mod uci;
pub mod xboard;
