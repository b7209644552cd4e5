/**
 * Parses the expressions in the body of a call and compiles their patterns before the call starts, in turns between
 * which other calls are served: the object that answers it then finds them compiled, and blocks no other call. A call
 * whose patterns take longer than the limit for one call is refused.
 */
import { type PrepareExpressionsOptions, prepareExpressions } from '#rulesets';
import { fault, genericCodes } from '#contract';
import { pointerTo } from '#shapes';

/** The length of a pattern in a message: enough to find it. */
const patternCharactersMax = 80;

/** Whether the text of a field is an expression, in all bodies. */
function isExpression(name: string): boolean {
  return name === 'expression' || name.endsWith('_expression');
}

interface Found {
  readonly name: string;
  readonly text: string;
}

/** Compiled patterns are kept until the result is disposed. */
export async function compilePatterns(
  body: unknown,
  options: PrepareExpressionsOptions,
): Promise<Disposable | undefined> {
  const expressions = listExpressions(body);
  if (expressions.length === 0) return undefined;
  const prepared = await prepareExpressions(expressions, options);
  if (prepared.ok) return prepared.held;
  const [first] = prepared.costliest;
  const patterns = prepared.costliest.map(({ name, source }) => `${cut(source)} in ${name}`).join(', ');
  throw fault(genericCodes.rulesTooCostly, { pointer: first!.name, fill: { patterns } });
}

/**
 * Does the same for a call that has passed `compilePatterns` in another process, and waits until this process has the
 * state that the call depends on. Undefined if there is nothing to wait for.
 */
export function warmCall(body: unknown, reached: Promise<void> | undefined): Promise<Disposable> | undefined {
  const warmed = warmPatterns(body);
  return reached === undefined && warmed === undefined ? undefined : awaitBoth(reached, warmed);
}

async function awaitBoth(
  reached: Promise<void> | undefined,
  warmed: Promise<Disposable | undefined> | undefined,
): Promise<Disposable> {
  using ready = new DisposableStack();
  ready.use(await warmed);
  await reached;
  return ready.move();
}

/** Undefined if the body has no expressions. */
function warmPatterns(body: unknown): Promise<Disposable | undefined> | undefined {
  const expressions = listExpressions(body);
  if (expressions.length === 0) return undefined;
  return prepareExpressions(expressions, { readsTrees: true }).then((prepared) =>
    prepared.ok ? prepared.held : undefined,
  );
}

/**
 * Bodies may be large and contain no expressions, such as the events of an edge: nothing is allocated until one is
 * found.
 */
function listExpressions(body: unknown): Found[] {
  const found: Found[] = [];
  const path: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const fields = value as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(fields)) {
      const child = fields[key];
      path.push(key);
      if (typeof child !== 'string') visit(child);
      else if (isExpression(key)) found.push({ name: path.reduce(pointerTo, ''), text: child });
      path.pop();
    }
  };
  visit(body);
  return found;
}

function cut(source: string): string {
  return source.length > patternCharactersMax ? `${source.slice(0, patternCharactersMax)}…` : source;
}
