/** `reportError`: an error that is reported like an uncaught one. */
import { wrongType } from './argument-errors.ts';

let report: (error: unknown) => void = () => {};

/** Says who takes what is reported. */
export function useErrorReports(take: (error: unknown) => void): void {
  report = take;
}

export function reportError(error: unknown): void {
  if (arguments.length === 0) throw wrongType('reportError', 'ServiceWorkerGlobalScope', 1, 'any');
  report(error);
}
