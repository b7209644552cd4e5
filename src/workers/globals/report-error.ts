/** `reportError`: an error that is told as if nobody had caught it. */
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
