/**
 * From a method and a raw path to an operation. Paths are compared as they were sent: a segment with a percent sign, a
 * dot segment or an empty one is not a path of the API, so there is nothing to normalise and no check to bypass. Keys
 * of KV and R2 are the exception: their segments are passed on as they were sent, percent-encoded.
 */
import { assert } from '#base';
import type { Operation } from './operation.ts';

export type Route<Id extends string> =
  | {
      readonly kind: 'found';
      readonly id: Id;
      readonly operation: Operation;
      readonly path: Record<string, string>;
    }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

interface Node<Id extends string> {
  readonly literal: Map<string, Node<Id>>;
  readonly named: {
    readonly name: string;
    readonly pattern: RegExp;
    readonly node: Node<Id>;
    /** Whether it matches the rest of the path. */
    readonly isRest: boolean;
  }[];
  readonly methods: Map<string, { readonly id: Id; readonly operation: Operation }>;
}

/** The pattern of a `{name}` in a path unless the operation has another one. */
export const identifier = /^[0-9a-f]{32}$/;

/** The former paths of queues, below Workers: cloudflare-go 0.x and Terraform 4 use them. */
const olderQueues = [/^(\/accounts\/[0-9a-f]{32})\/workers(?=\/queues(?:\/|$))/, '$1'] as const;

export class Router<Id extends string> {
  readonly #root: Node<Id> = emptyNode();

  constructor(operations: Readonly<Record<Id, Operation>>) {
    for (const id of Object.keys(operations) as Id[]) this.#add(id, operations[id]);
  }

  find(method: string, path: string): Route<Id> {
    if (!path.startsWith('/')) return { kind: 'none' };
    const names: Record<string, string> = {};
    const node = walk(
      this.#root,
      path
        .replace(...olderQueues)
        .slice(1)
        .split('/'),
      0,
      names,
    );
    if (node === undefined) return { kind: 'none' };
    const found = node.methods.get(method);
    if (found === undefined) return { kind: 'wrong-method', allowed: [...node.methods.keys()] };
    return { kind: 'found', ...found, path: names };
  }

  #add(id: Id, operation: Operation): void {
    let node = this.#root;
    for (const segment of operation.path.slice(1).split('/')) node = childFor(node, segment, operation);
    assert(!node.methods.has(operation.method), `two operations have one route: ${id}`);
    node.methods.set(operation.method, { id, operation });
  }
}

function emptyNode<Id extends string>(): Node<Id> {
  return { literal: new Map(), named: [], methods: new Map() };
}

function childFor<Id extends string>(node: Node<Id>, segment: string, operation: Operation): Node<Id> {
  if (!segment.startsWith('{')) {
    let child = node.literal.get(segment);
    if (child === undefined) node.literal.set(segment, (child = emptyNode()));
    return child;
  }
  const name = segment.slice(1, -1);
  const pattern = operation.segments[name] ?? identifier;
  const known = node.named.find((each) => each.name === name && each.pattern.source === pattern.source);
  if (known !== undefined) return known.node;
  const child = emptyNode<Id>();
  node.named.push({ name, pattern, node: child, isRest: operation.rest === name });
  return child;
}

/** A literal takes precedence over a name: `/rulesets/phases` is not a ruleset with the id `phases`. */
function walk<Id extends string>(
  node: Node<Id>,
  segments: readonly string[],
  at: number,
  names: Record<string, string>,
): Node<Id> | undefined {
  if (at === segments.length) return node.methods.size > 0 ? node : undefined;
  const segment = segments[at]!;
  const literal = node.literal.get(segment);
  const found = literal && walk(literal, segments, at + 1, names);
  if (found !== undefined) return found;
  for (const { name, pattern, node: child, isRest } of node.named) {
    if (!pattern.test(segment)) continue;
    if (isRest) {
      const rest = segments.slice(at);
      if (!rest.every((each) => pattern.test(each)) || child.methods.size === 0) continue;
      names[name] = rest.join('/');
      return child;
    }
    const below = walk(child, segments, at + 1, names);
    if (below === undefined) continue;
    names[name] = segment;
    return below;
  }
  return undefined;
}
