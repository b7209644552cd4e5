/** The methods that the SDK has, by their names: `firewall.waf.packages.groups.list`. */
import { ok } from 'node:assert/strict';
import type Cloudflare from 'cloudflare';

export interface SdkMethod {
  readonly name: string;
  readonly resource: Record<string, unknown>;
  /** Of the resource. */
  readonly property: string;
}

/** Methods of a resource and of those below it. */
export function methodsOf(client: Cloudflare, family: string): string[] {
  return findMethods(client, family).map(({ name }) => name);
}

export function findMethods(client: Cloudflare, family: string): SdkMethod[] {
  let found: unknown = client;
  for (const part of family.split('.')) found = (found as Record<string, unknown>)[part];
  ok(isResource(found), `the SDK has no resource ${family}`);
  return methodsBelow(found, family);
}

/** Reports the name of each called method of the client. */
export function recordCalls(client: Cloudflare, tell: (method: string) => void): void {
  for (const family of Object.keys(client)) {
    const resource: unknown = (client as unknown as Record<string, unknown>)[family];
    if (!isResource(resource)) continue;
    for (const { name, resource: owner, property } of methodsBelow(resource, family)) {
      const method = owner[property] as (...args: unknown[]) => unknown;
      owner[property] = (...args: unknown[]): unknown => {
        tell(name);
        return method.apply(owner, args);
      };
    }
  }
}

function methodsBelow(resource: Record<string, unknown>, path: string): SdkMethod[] {
  const methods = prototypesOf(resource)
    .flatMap((prototype) => Object.getOwnPropertyNames(prototype))
    .filter((property) => property !== 'constructor')
    .map((property) => ({ name: `${path}.${property}`, resource, property }));
  const below = Object.entries(resource).flatMap(([key, value]) =>
    key !== '_client' && isResource(value) ? methodsBelow(value, `${path}.${key}`) : [],
  );
  return [...methods, ...below];
}

function isResource(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '_client');
}

function prototypesOf(value: object): object[] {
  const prototypes: object[] = [];
  for (
    let each = Object.getPrototypeOf(value);
    each !== Object.prototype;
    each = Object.getPrototypeOf(each)
  ) {
    prototypes.push(each);
  }
  return prototypes;
}
