/** How a step is undone: the options that `step.do` takes behind its callback, checked as Cloudflare does. */
import { isObject } from '#base';
import { readStepConfig, type StepConfig, type StepContext } from './step-config.ts';
import { createStepError } from './workflow-errors.ts';

/** What a rollback function is told. */
interface RollbackContext {
  readonly ctx: StepContext;
  /** What the instance has failed with. */
  readonly error: Error;
  /** Undefined for a step that has failed itself. */
  readonly output: unknown;
  readonly stepName: string;
}

export interface Rollback {
  readonly rollback: (about: RollbackContext) => unknown;
  readonly config: StepConfig;
}

export function readRollback(name: string, options: unknown): Rollback {
  const refuse = (why: string): Error => createStepError(`WorkflowFatalError: ${why}`);
  if (!isObject(options)) throw refuse(`Rollback options for "${name}" must be an object`);
  const { rollback, rollbackConfig = {} } = options as Record<string, unknown>;
  if (typeof rollback !== 'function') throw refuse(`Rollback for "${name}" must be a function`);
  const config = readStepConfig(rollbackConfig);
  if (config === undefined || config.sensitive !== undefined)
    throw refuse(
      `Rollback config for "${name}" is in a invalid format. See https://developers.cloudflare.com/workflows/build/sleeping-and-retrying/`,
    );
  return { rollback: rollback as Rollback['rollback'], config };
}
