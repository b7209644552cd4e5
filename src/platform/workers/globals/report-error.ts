/** `reportError`: an error that is reported like an uncaught one. */
import { wrongType } from '#base';

let report: (error: unknown) => void = () => {};

/** Sets the receiver of reported errors. */
export function useErrorReports(take: (error: unknown) => void): void {
  report = take;
}

export function reportError(error: unknown): void {
  if (arguments.length === 0)
    throw wrongType({ method: 'reportError', face: 'ServiceWorkerGlobalScope' }, 1, 'any');
  report(error);
}
