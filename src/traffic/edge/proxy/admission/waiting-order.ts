/**
 * Members in the order in which they started to wait, the longest waiting first. Joining, leaving and finding the first
 * take constant time, because in a flood many members wait and leave.
 */

/** A member's place in the order. It is created once and reused each time its member waits. */
export interface QueuePlace<Member> {
  readonly member: Member;
  before: QueuePlace<Member> | undefined;
  after: QueuePlace<Member> | undefined;
  isTaken: boolean;
}

export function createPlace<Member>(member: Member): QueuePlace<Member> {
  return { member, before: undefined, after: undefined, isTaken: false };
}

export class WaitingOrder<Member> {
  #first: QueuePlace<Member> | undefined;
  #last: QueuePlace<Member> | undefined;
  #size = 0;

  get first(): Member | undefined {
    return this.#first?.member;
  }

  get size(): number {
    return this.#size;
  }

  /** Moves the place to the end, from any position. */
  append(place: QueuePlace<Member>): void {
    if (place === this.#last) return;
    this.remove(place);
    place.isTaken = true;
    this.#size++;
    place.before = this.#last;
    if (this.#last === undefined) this.#first = place;
    else this.#last.after = place;
    this.#last = place;
  }

  remove(place: QueuePlace<Member>): void {
    if (!place.isTaken) return;
    place.isTaken = false;
    this.#size--;
    const { before, after } = place;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    place.before = undefined;
    place.after = undefined;
  }
}
