//! The law nearest to what was seen that has a given property: the inner problem of the likelihood ratio.

/// More than any root takes: the search ends, whatever the numbers.
const MOST_STEPS: usize = 200;

/// For weights wᵢ > 0 the law pᵢ = wᵢ/(1 + θφᵢ) of greatest likelihood among those with Σ pᵢφᵢ = 0; gives the factors
/// 1 + θφᵢ, all greater than 0. `None` if all φᵢ have one sign: no law has the property then.
///
/// θ is the only root of Σ wᵢφᵢ/(1 + θφᵢ) (Van den Bergh, "MLE for a multinomial with constrained support", Prop. 1.1).
/// It may lie closer to a pole than 1 + θφᵢ can tell apart, so what is solved for is e, the factor of the cell at that
/// pole: with rᵢ = φᵢ/|φ_pole| the others are 1 + rᵢ − e·rᵢ.
pub(super) fn factors<const N: usize>(weights: &[f64; N], property: &[f64; N]) -> Option<[f64; N]> {
    let mean: f64 = dot(weights, property);
    // The root has the sign of the mean; after this it is positive, and the pole that of the least φ.
    let oriented = if mean < 0.0 { property.map(|value| -value) } else { *property };
    let (pole, least) = oriented.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?;
    let greatest = oriented.iter().fold(f64::NEG_INFINITY, |most, value| most.max(*value));
    if !(*least < 0.0 && greatest > 0.0 && greatest.is_finite() && least.is_finite()) {
        return None;
    }
    if mean == 0.0 {
        return Some([1.0; N]);
    }
    let ratios = oriented.map(|value| value / -least);
    let root = Root { weights, ratios, pole }.find();
    let factors: [f64; N] = ratios.map(|ratio| (1.0 + ratio) - root * ratio);
    factors.iter().all(|factor| *factor > 0.0).then_some(factors)
}

/// The equation for e in (0, 1].
struct Root<'a, const N: usize> {
    weights: &'a [f64; N],
    ratios: [f64; N],
    pole: usize,
}

impl<const N: usize> Root<'_, N> {
    fn find(&self) -> f64 {
        let others = self.weights.iter().zip(self.ratios).filter(|(_, ratio)| *ratio > 0.0);
        let pull: f64 = others.map(|(weight, ratio)| weight * ratio).sum();
        // At `low` the cell at the pole outweighs all others at their greatest; at 1 the mean is positive.
        let (mut low, mut high) = ((self.weights[self.pole] / pull).min(1.0), 1.0);
        let mut root = low;
        for _ in 0..MOST_STEPS {
            let (value, slope) = self.value_and_slope(root);
            if value < 0.0 {
                low = root;
            } else {
                high = root;
            }
            let newton = root - value / slope;
            // Halving on a logarithmic scale, for the root may be many powers of ten away from either end.
            let next = if newton > low && newton < high { newton } else { (low * high).sqrt() };
            let moved = (next - root).abs();
            root = next;
            if moved <= f64::EPSILON * root || high - low <= f64::EPSILON * high {
                break;
            }
        }
        root
    }

    /// The equation times e: without the pole at 0, and with the same root.
    fn value_and_slope(&self, e: f64) -> (f64, f64) {
        let mut value = -self.weights[self.pole];
        let mut slope = 0.0;
        for cell in (0..N).filter(|cell| *cell != self.pole) {
            let ratio = self.ratios[cell];
            let factor = (1.0 + ratio) - e * ratio;
            let term = self.weights[cell] * ratio / factor;
            value += e * term;
            slope += term * (1.0 + e * ratio / factor);
        }
        (value, slope)
    }
}

pub(super) fn dot<const N: usize>(left: &[f64; N], right: &[f64; N]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
