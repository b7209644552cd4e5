import { DurableObject } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';

/** An object of the control plane that reports which host it is on. */
export abstract class LocatedObject extends DurableObject<ControlEnvironment> {
  /** The host that the object is on. */
  findHost(): string {
    return this.env.findHostId();
  }
}
