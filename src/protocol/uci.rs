//! UCI.
