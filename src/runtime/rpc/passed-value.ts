/** The data that passes from one side to the other, with the references in it that must be released. */
import { copyForRpc, passesAsIs } from './copy.ts';
import { findReference } from './reference.ts';
import type { Side } from './side.ts';

export interface MessageRoute {
  readonly from: Side;
  readonly to: Side;
  /** Creates a stub for an object that stays on its side. */
  readonly exportTarget: (target: object, owner: Side, holder: Side) => object;
}

export class PassedValue<T = unknown> {
  readonly value: T;
  #stubs: Disposable[] | undefined;

  constructor(value: T, { from, to, exportTarget }: MessageRoute) {
    this.value = copyForRpc(value, {
      to,
      exportTarget: (target) => exportTarget(target, from, to),
      onStub: (stub) => (this.#stubs ??= []).push(stub),
    }) as T;
  }

  get holdsStubs(): boolean {
    return this.#stubs !== undefined;
  }

  dispose(): void {
    const stubs = this.#stubs;
    this.#stubs = undefined;
    for (const stub of stubs ?? []) stub[Symbol.dispose]();
  }
}

/** Copies a result. Disposing of the copy releases the stubs in it, and the result itself if it is disposable. */
export function copyResult(value: unknown, route: MessageRoute): unknown {
  if (passesAsIs(value)) return value;
  const message = new PassedValue(value, route);
  const copied = message.value;
  if (typeof copied !== 'object' || copied === value || findReference(copied) !== undefined) return copied;
  const disposable = typeof (value as Partial<Disposable>)[Symbol.dispose] === 'function';
  let open = true;
  const dispose = (): void => {
    if (open && disposable) disposeOn(route.from, value as object);
    open = false;
    message.dispose();
  };
  return Object.defineProperty(copied as object, Symbol.dispose, {
    value: disposable || message.holdsStubs ? dispose : doNothing,
    writable: true,
    configurable: true,
  });
}

function doNothing(): void {}

/** Whether disposing of a copied result has an effect. */
export function needsDisposal(copied: unknown): boolean {
  if (typeof copied !== 'object' || copied === null || findReference(copied) !== undefined) return false;
  const dispose = Object.getOwnPropertyDescriptor(copied, Symbol.dispose)?.value as unknown;
  return dispose !== undefined && dispose !== doNothing;
}

/** Runs the disposer of a target that has no references left, if it has one. */
export function disposeOn(owner: Side, target: object): void {
  const disposer = (target as Partial<Disposable>)[Symbol.dispose];
  if (typeof disposer !== 'function') return;
  // A disposer is not awaited, so its failure would not be seen.
  owner.enter(async () => disposer.call(target)).catch(() => {});
}
