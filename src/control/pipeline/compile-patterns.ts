/**
 * Compiles the patterns in the body of a call before the call begins, in turns between which others are served: the object
 * that answers it then finds them ready, and holds nobody up. A call whose patterns take more than one call may is refused.
 */
import { prepareExpressions } from '#firewall';
import { fault, genericCodes } from '#api';

/** Of a pattern in a message: enough to find it. */
const patternCharactersMax = 80;

/** The names of fields whose text is an expression, in all bodies. */
const fieldName = /(?:^|_)expression$/;

interface Found {
  readonly name: string;
  readonly text: string;
}

/** The process keeps more of the patterns used last than one call may have. */
export async function compilePatterns(body: unknown): Promise<void> {
  const expressions = [...listExpressions(body, '')];
  if (expressions.length === 0) return;
  const prepared = await prepareExpressions(expressions);
  if (prepared.ok) return;
  const [first] = prepared.costliest;
  const patterns = prepared.costliest.map(({ name, source }) => `${cut(source)} in ${name}`).join(', ');
  throw fault(genericCodes.rulesTooCostly, { pointer: first!.name, fill: { patterns } });
}

/**
 * Compiles the patterns of a call that has passed `compilePatterns` in another process. Undefined if it has none; otherwise
 * resolves when they are ready.
 */
export function warmPatterns(body: unknown): Promise<unknown> | undefined {
  const expressions = [...listExpressions(body, '')];
  return expressions.length === 0 ? undefined : prepareExpressions(expressions);
}

function* listExpressions(value: unknown, pointer: string): Iterable<Found> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const name = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (typeof child === 'string') {
      if (fieldName.test(key)) yield { name, text: child };
    } else yield* listExpressions(child, name);
  }
}

function cut(source: string): string {
  return source.length > patternCharactersMax ? `${source.slice(0, patternCharactersMax)}…` : source;
}
