/** Invalid options of `simulate`. A `TypeError`, because it is the caller's mistake. */
export class SimulationOptionsError extends TypeError {
  override readonly name = 'SimulationOptionsError';
}
