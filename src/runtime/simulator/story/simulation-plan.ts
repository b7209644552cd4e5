/** Everything that determines one life, and its text form, for repeating it. */
import { SimulationOptionsError } from '../options.ts';

export interface SimulationPlan {
  readonly seed: number;
  /** The steps of `world.run` that are taken, by number; by default all. */
  readonly steps?: ReadonlySet<number>;
  /** The faults that may occur, by name; by default, those that the seed determines. */
  readonly faults?: ReadonlySet<string>;
}

export function formatPlan({ seed, steps, faults }: SimulationPlan): string {
  if (steps === undefined && faults === undefined) return String(seed);
  const content = { seed, steps: [...(steps ?? [])], faults: [...(faults ?? [])] };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Parses the text that a failure prints: a seed, or a shorter story. */
export function parsePlan(text: string): SimulationPlan {
  if (/^\d{1,10}$/.test(text)) return { seed: Number(text) };
  try {
    const { seed, steps, faults } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    const isRight =
      Number.isSafeInteger(seed) &&
      Array.isArray(steps) &&
      steps.every(Number.isSafeInteger) &&
      Array.isArray(faults) &&
      faults.every((each) => typeof each === 'string');
    if (isRight) return { seed: seed as number, steps: new Set(steps as number[]), faults: new Set(faults) };
  } catch {
    // The error is thrown below.
  }
  throw new SimulationOptionsError(
    `simulate(): replay must be a seed or what a failed simulation has printed as one: ${text.slice(0, 80)}`,
  );
}
