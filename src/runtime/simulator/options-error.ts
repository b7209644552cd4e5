/** Options that `simulate` cannot follow. A `TypeError`, because it is the caller's mistake. */
export class SimulationOptionsError extends TypeError {
  override readonly name = 'SimulationOptionsError';
}
