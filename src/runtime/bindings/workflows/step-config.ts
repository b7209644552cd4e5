/** How a step is attempted: the configuration that `step.do` takes, checked and completed as documented. */
import { readDuration } from './durations.ts';

type Backoff = 'constant' | 'linear' | 'exponential';
type Duration = number | string;

/** The information about itself that a step, or a function that computes its delay, receives. */
export interface StepContext {
  readonly step: { readonly name: string; readonly count: number };
  readonly attempt: number;
  readonly config: ShownConfig;
}

type DelayFunction = (about: { readonly ctx: StepContext; readonly error: Error }) => unknown;

export interface StepConfig {
  readonly retries: {
    readonly limit: number;
    readonly delay: Duration | DelayFunction;
    readonly backoff: Backoff;
  };
  readonly timeout: Duration;
  readonly sensitive?: 'output';
}

interface ShownConfig extends Omit<StepConfig, 'retries'> {
  /** Excludes a delay that is a function. */
  readonly retries: Omit<StepConfig['retries'], 'delay'> & { readonly delay?: Duration };
}

const backoffs: ReadonlySet<unknown> = new Set<Backoff>(['constant', 'linear', 'exponential']);

/** As documented. */
const defaults: StepConfig = {
  retries: { limit: 5, delay: 10_000, backoff: 'exponential' },
  timeout: '10 minutes',
};

/** Undefined if the configuration is not valid. */
export function readStepConfig(given: unknown): StepConfig | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { retries, timeout, sensitive, ...unknown } = given as Record<string, unknown>;
  const isValid =
    Object.keys(unknown).length === 0 &&
    (retries === undefined || areRetries(retries)) &&
    (timeout === undefined || readDuration(timeout) > 0) &&
    (sensitive === undefined || sensitive === 'output');
  if (!isValid) return undefined;
  const config = given as Partial<StepConfig>;
  return { ...defaults, ...config, retries: { ...defaults.retries, ...config.retries } };
}

function areRetries(retries: unknown): boolean {
  if (typeof retries !== 'object' || retries === null) return false;
  const { limit, delay, backoff, ...unknown } = retries as Record<string, unknown>;
  return (
    Object.keys(unknown).length === 0 &&
    typeof limit === 'number' &&
    limit >= 0 &&
    (typeof delay === 'function' || !Number.isNaN(readDuration(delay))) &&
    (backoff === undefined || backoffs.has(backoff))
  );
}

export function showConfig(config: StepConfig): ShownConfig {
  const { delay, ...retries } = config.retries;
  return { ...config, retries: typeof delay === 'function' ? retries : { ...retries, delay } };
}

/** The delay after this many attempts, where the initial delay is `base`. */
export function growDelay(base: number, backoff: Backoff, attempts: number): number {
  switch (backoff) {
    case 'exponential':
      return base * 2 ** (attempts - 1);
    case 'linear':
      return base * attempts;
    case 'constant':
      return base;
  }
}
