//! A plot of the scores of a match.

use super::record::GameRecord;
use super::settings::Settings;
use super::standings::Standings;
use anyhow::{Result, anyhow};
use plotters::prelude::*;

/// The most points of a curve.
const POINTS: usize = 1000;

/// The score of the first engine after each game, with its 95 % interval, and the LLR of the test, as SVG. With more
/// than two engines, the scores of all.
pub fn course(settings: &Settings, names: &[String], games: &[GameRecord]) -> Result<String> {
    let mut text = String::new();
    let size = (900, if settings.sprt.is_some() { 760 } else { 400 });
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&root, settings, names, games).map_err(|error| anyhow!("--svg: {error}"))?;
    }
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Curve = Vec<(f64, f64)>;

fn draw(
    root: &Area,
    settings: &Settings,
    names: &[String],
    games: &[GameRecord],
) -> Result<(), Box<dyn std::error::Error>> {
    root.fill(&WHITE)?;
    let duel = names.len() == 2;
    let drawn = if duel { 1 } else { names.len() };
    let (mut scores, mut low, mut high): (Vec<Curve>, Curve, Curve) =
        (vec![Vec::new(); drawn], vec![], vec![]);
    let mut ratios: Curve = Vec::new();
    let mut standings = Standings::new(names.len(), settings.repeat);
    let step = games.len().div_ceil(POINTS).max(1);
    for (number, game) in (1..).zip(games) {
        standings.add(game);
        if number % step != 0 && number != games.len() {
            continue;
        }
        let x = number as f64;
        for (engine, curve) in scores.iter_mut().enumerate() {
            curve.push((x, 100.0 * standings.totals[engine].tally.share()));
        }
        let estimate = standings.duel().estimate();
        if duel && estimate.elo_error.is_finite() {
            let bound = |elo: f64| 100.0 * super::stats::expected_score(elo);
            low.push((x, bound(estimate.elo - estimate.elo_error)));
            high.push((x, bound(estimate.elo + estimate.elo_error)));
        }
        if let Some(sprt) = &settings.sprt {
            ratios.push((x, sprt.llr(&standings.duel())));
        }
    }
    let last = games.len().max(1) as f64;
    // No more labels than games, or there would be fractions of games.
    let labels = (games.len().max(1) + 1).min(11);
    let areas = root.split_evenly((if settings.sprt.is_some() { 2 } else { 1 }, 1));
    let title = match names {
        [first, second] => format!("{first} against {second}: score in %"),
        _ => "Scores in %".into(),
    };
    let mut chart = ChartBuilder::on(&areas[0])
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(28)
        .y_label_area_size(44)
        .build_cartesian_2d(0.0..last, 0.0..100.0)?;
    chart
        .configure_mesh()
        .x_desc("games")
        .x_labels(labels)
        .x_label_formatter(&|games| format!("{games:.0}"))
        .y_label_formatter(&|score| format!("{score:.0}"))
        .light_line_style(WHITE)
        .draw()?;
    chart.draw_series(LineSeries::new([(0.0, 50.0), (last, 50.0)], BLACK.mix(0.5)))?;
    for (engine, curve) in scores.into_iter().enumerate() {
        let color = Palette99::pick(engine).to_rgba();
        let series = chart.draw_series(LineSeries::new(curve, color.stroke_width(2)))?;
        if !duel {
            let swatch = move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], color.stroke_width(2));
            series.label(&names[engine]).legend(swatch);
        }
    }
    for bound in [low, high] {
        chart.draw_series(LineSeries::new(bound, Palette99::pick(0).mix(0.5)))?;
    }
    if !duel {
        chart.configure_series_labels().border_style(BLACK).background_style(WHITE.mix(0.8)).draw()?;
    }
    if let (Some(sprt), Some(area)) = (&settings.sprt, areas.get(1)) {
        let (lower, upper) = sprt.bounds();
        let reach =
            ratios.iter().fold((lower, upper), |(low, high), (_, llr)| (low.min(*llr), high.max(*llr)));
        let mut chart = ChartBuilder::on(area)
            .caption(format!("LLR for Elo {} and {}", sprt.elo0, sprt.elo1), ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(28)
            .y_label_area_size(44)
            .build_cartesian_2d(0.0..last, reach.0 - 0.3..reach.1 + 0.3)?;
        chart
            .configure_mesh()
            .x_desc("games")
            .x_labels(labels)
            .x_label_formatter(&|games| format!("{games:.0}"))
            .light_line_style(WHITE)
            .draw()?;
        for bound in [lower, upper] {
            chart.draw_series(LineSeries::new([(0.0, bound), (last, bound)], RED.mix(0.7)))?;
        }
        chart.draw_series(LineSeries::new(ratios, Palette99::pick(0).stroke_width(2)))?;
    }
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{End, GameResult};
    use crate::words::from_command_line;

    fn game(number: u64) -> GameRecord {
        GameRecord {
            game: number,
            round: number,
            pair: number,
            white: 0,
            black: 1,
            opening: None,
            fen: None,
            book: Vec::new(),
            book_san: Vec::new(),
            moves: Vec::new(),
            result: GameResult::Draw,
            end: End::Normal,
            reason: String::new(),
            began: 0,
            millis: 0,
            log: Vec::new(),
        }
    }

    /// The labels of an axis that shows whole games: each once, in order.
    #[test]
    fn games_are_whole_on_the_axis() {
        let words = "--variant chess --engine cmd=a --engine cmd=b --each depth=1 --norepeat --games 1";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let settings = Settings::read(&from_command_line(&words).unwrap()).unwrap();
        let names = ["a".to_owned(), "b".to_owned()];
        for number in [0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 25, 1000] {
            let games: Vec<GameRecord> = (1..=number).map(game).collect();
            let drawing = course(&settings, &names, &games).unwrap();
            // Below the axis: the labels of the other one stand on the left.
            let labels: Vec<u64> = drawing
                .split("<text ")
                .filter(|text| text.contains("text-anchor=\"middle\""))
                .filter_map(|text| text.lines().nth(1)?.trim().parse().ok())
                .collect();
            assert!(labels.len() >= 2 && labels.is_sorted_by(|a, b| a < b), "{number}: {labels:?}");
            assert_eq!(labels[0], 0, "{number}");
        }
    }
}
