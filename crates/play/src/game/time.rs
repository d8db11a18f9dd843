//! The only clock of rooms and libraries, and dates.

use quintain_core::host;
use std::time::Duration;

pub use quintain_core::host::now;

/// A point in time, as [`now`] gives it.
pub type Moment = Duration;

/// The date: milliseconds since 1970.
pub fn date() -> u64 {
    host::date().as_millis() as u64
}

/// Date and time in UTC as in PGN, from seconds since 1970. The date by the algorithm of Howard Hinnant's
/// "chrono-Compatible Low-Level Date Algorithms".
pub fn utc(seconds: u64) -> (String, String) {
    let (days, rest) = ((seconds / 86_400) as i64, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let time = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    (format!("{year}.{month:02}.{day:02}"), time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let day = |seconds| utc(seconds).0;
        assert_eq!(utc(0), ("1970.01.01".into(), "00:00:00".into()));
        assert_eq!(utc(951_827_696), ("2000.02.29".into(), "12:34:56".into()));
        assert_eq!((day(1_735_689_599), day(1_735_689_600)), ("2024.12.31".into(), "2025.01.01".into()));
    }
}
