import { DurableObject } from 'cloudflare:workers';

/** Sells each seat once, after the documented case of a booking system. */
export class Theatre extends DurableObject {
  /** Who has the seat now. */
  async book(seat: string, who: string): Promise<string> {
    await fetch('https://cards.test/', { method: 'POST', body: who });
    const owner = await this.ctx.storage.get<string>(seat);
    if (owner !== undefined) return owner;
    await this.ctx.storage.put(seat, who);
    return who;
  }
}
