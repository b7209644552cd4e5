/** Rules that respond in place of an error, compiled. */
import { type ErrorParameters, errorStatusMin } from '#rulesets';
import type { Act, Change, ServedError } from './change.ts';

export function compileError({ content, content_type, status_code }: ErrorParameters): Act {
  if (content === undefined) throw new RangeError('it has no content');
  if (status_code !== undefined && status_code < errorStatusMin)
    throw new RangeError(`no error has the status ${status_code}`);
  const effect = {
    kind: 'error',
    content,
    contentType: content_type ?? 'text/html',
    ...(status_code === undefined ? {} : { status: status_code }),
  } as const;
  return () => effect;
}

/** The first rule that matches responds. */
export function findServedError(changes: readonly Change[] = []): ServedError | undefined {
  for (const { effect } of changes) if (effect.kind === 'error') return effect;
  return undefined;
}
