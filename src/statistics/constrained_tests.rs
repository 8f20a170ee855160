//! The search for the likeliest law against a scan over all means.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Seen;

/// A law with mean `mean` (less ½) and deviation `mean / t`: two properties, and the multipliers of the likeliest such law.
struct TwoProperties<'a, const N: usize> {
    seen: &'a Seen<N>,
    properties: [[f64; 2]; N],
}

impl<'a, const N: usize> TwoProperties<'a, N> {
    fn new(seen: &'a Seen<N>, mean: f64, t: f64) -> Self {
        let properties = seen.centred_scores.map(|score| {
            let distance = (score - mean) * t / mean;
            [distance, distance.powi(2) - 1.0]
        });
        TwoProperties { seen, properties }
    }

    fn factors(&self, at: [f64; 2]) -> [f64; N] {
        self.properties.map(|property| 1.0 + at[0] * property[0] + at[1] * property[1])
    }

    /// The Newton step for the multipliers.
    fn step(&self, at: [f64; 2]) -> [f64; 2] {
        let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 3]);
        let cells = self.properties.iter().zip(self.seen.frequencies).zip(self.factors(at));
        for ((&[first, second], frequency), factor) in cells {
            let weight = frequency / factor;
            gradient = [gradient[0] + weight * first, gradient[1] + weight * second];
            let weight = weight / factor;
            hessian[0] += weight * first * first;
            hessian[1] += weight * first * second;
            hessian[2] += weight * second * second;
        }
        let determinant = hessian[0] * hessian[2] - hessian[1] * hessian[1];
        [
            (hessian[2] * gradient[0] - hessian[1] * gradient[1]) / determinant,
            (hessian[0] * gradient[1] - hessian[1] * gradient[0]) / determinant,
        ]
    }

    /// The loss of the likeliest law: the greatest value of a concave function. Infinite if there is none.
    fn loss(&self, t: f64) -> f64 {
        let (mut at, mut best) = ([0.0, 0.0], 0.0);
        for _ in 0..300 {
            let step = self.step(at);
            let lengths = std::iter::successors(Some(1.0f64), |length| Some(length / 2.0)).take(40);
            let better =
                lengths.map(|length| [at[0] + length * step[0], at[1] + length * step[1]]).find_map(|next| {
                    let reached = self.seen.loss(&self.factors(next));
                    (reached > best).then_some((next, reached))
                });
            match better {
                Some((_, reached)) if reached > 60.0 => return f64::INFINITY,
                Some((next, reached)) if reached - best > 1e-16 => (at, best) = (next, reached),
                _ if self.fits(at, t) => return best,
                _ => return f64::INFINITY,
            }
        }
        f64::INFINITY
    }

    fn fits(&self, at: [f64; 2], t: f64) -> bool {
        let law = self.seen.law(&self.factors(at));
        let (mean, deviation) = self.seen.moments(&law);
        let total: f64 = law.iter().sum();
        (mean / deviation - t).abs() < 1e-7 * t.abs() && (total - 1.0).abs() < 1e-8
    }
}

/// The least loss over all means that have the sign of t: a grid, and a closer look at each of its valleys.
fn scanned_loss<const N: usize>(seen: &Seen<N>, t: f64) -> f64 {
    const STEPS: usize = 400;
    let loss_at = |place: f64| {
        // Dense at both ends of 0 to ½, where empty cells have their optimum.
        let mean = t.signum() * (1.0 - (std::f64::consts::PI * place).cos()) / 4.0;
        TwoProperties::new(seen, mean, t).loss(t)
    };
    let grid: Vec<f64> = (1..STEPS).map(|step| loss_at(step as f64 / STEPS as f64)).collect();
    let at = |index: Option<usize>| index.and_then(|index| grid.get(index)).copied().unwrap_or(f64::INFINITY);
    let mut least = f64::INFINITY;
    for (index, loss) in grid.iter().enumerate() {
        let valley = *loss <= at(index.checked_sub(1)) && *loss <= at(Some(index + 1));
        if !valley || loss.is_infinite() {
            continue;
        }
        let (mut low, mut high) = (index as f64 / STEPS as f64, (index + 2) as f64 / STEPS as f64);
        for _ in 0..40 {
            let (left, right) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
            let (at_left, at_right) = (loss_at(left), loss_at(right));
            least = least.min(at_left).min(at_right);
            if at_left < at_right { high = right } else { low = left }
        }
    }
    least
}

fn seen<const N: usize>(cells: [f64; N]) -> Seen<N> {
    let total: f64 = cells.iter().sum();
    let centred_scores = std::array::from_fn(|cell| cell as f64 / (N - 1) as f64 - 0.5);
    Seen { frequencies: cells.map(|cell| cell.max(0.001) / total), centred_scores }
}

struct Random(ChaCha8Rng);

impl Random {
    fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / f64::from(u32::MAX)
    }

    /// Counts of a hard kind: of any size, with empty cells, or nearly all in one cell.
    fn cells<const N: usize>(&mut self) -> [f64; N] {
        let size = 10f64.powf(6.0 * self.unit());
        let mut cells = [0.001; N];
        if self.unit() < 0.4 {
            for cell in &mut cells {
                if self.unit() < 0.5 {
                    *cell += (4.0 * self.unit()).round();
                }
            }
            cells[self.0.next_u32() as usize % N] += size;
        } else {
            for cell in &mut cells {
                if self.unit() < 0.6 {
                    *cell += (size * self.unit().powi(3)).round();
                }
            }
        }
        cells
    }
}

fn assert_likeliest<const N: usize>(cells: [f64; N], t: f64) {
    let seen = seen(cells);
    let loss = seen.loss(&seen.with_t(t).unwrap_or_else(|| panic!("{cells:?}, t {t}: no law")));
    let scanned = scanned_loss(&seen, t);
    assert!(loss <= scanned + 1e-8, "{cells:?}, t {t}: {loss}, but a scan finds {scanned}");
}

#[test]
fn no_scan_finds_a_likelier_law() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(1));
    for _ in 0..60 {
        let t = (random.unit() - 0.5) * 10f64.powf(2.0 * random.unit() - 1.0);
        let (games, pairs) = (random.cells::<3>(), random.cells::<5>());
        assert_likeliest(games, t);
        assert_likeliest(pairs, t);
    }
}

/// Cases in which the searches from the uniform law and from what was seen both end on a lower maximum.
#[test]
fn lower_maxima_are_left() {
    assert_likeliest([0.001, 333.0, 553.0, 1.0, 0.001], 0.970_972_611_787);
    assert_likeliest([0.001, 1.0, 0.001, 5.0, 0.001], -2.123_367_224_393);
    assert_likeliest([943.0, 0.001, 0.001, 308.0, 0.001], 2.467_269_917_324);
    assert_likeliest([0.001, 0.001, 4399.0, 1.0, 0.001], 0.113_859_168_746);
    assert_likeliest([0.001, 0.001, 1556.0, 0.001, 46.0], 3.379_960_288_859);
}

#[test]
fn hard_samples_have_a_law_for_every_t() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(2));
    for _ in 0..2_000 {
        let cells = random.cells::<5>();
        let t = (random.unit() - 0.5) * 10f64.powf(4.0 * random.unit() - 2.5);
        assert!(seen(cells).with_t(t).is_some(), "{cells:?}, t {t}");
    }
}
