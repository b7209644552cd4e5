/** How a step is undone: the options that `step.do` takes after its callback, checked as Cloudflare does. */
import { isObject } from '#base';
import { readStepConfig, type StepConfig, type StepContext } from './step-config.ts';
import { createStepError } from './workflow-errors.ts';

/** The argument of a rollback function. */
interface RollbackContext {
  readonly ctx: StepContext;
  /** The error with which the instance has failed. */
  readonly error: Error;
  /** Undefined for a step that itself has failed. */
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
