/** Simulations that modules export, for `gatehouse simulate`. */
import type { Story } from './options.ts';
import type { SimulateOptions } from './simulate.ts';

export interface DefinedOptions extends SimulateOptions {
  /** True for a simulation that demonstrates a mistake: then it fails if nothing is found. */
  readonly mustFail?: boolean;
}

export class DefinedSimulation {
  readonly options: DefinedOptions;
  readonly story: Story;

  constructor(options: DefinedOptions, story: Story) {
    this.options = options;
    this.story = story;
  }
}

/** Exported by a module `*.simulation.ts`; `gatehouse simulate` runs it under the name of the export. */
export function defineSimulation(options: DefinedOptions, story: Story): DefinedSimulation {
  return new DefinedSimulation(options, story);
}
