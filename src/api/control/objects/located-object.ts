import { DurableObject } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';

/** An object of the control plane, which can be asked where it is. */
export abstract class LocatedObject extends DurableObject<ControlEnvironment> {
  /** The host that the object is on. */
  findHost(): string {
    return this.env.findHostId();
  }
}
