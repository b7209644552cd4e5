/** Answers of the API that several pages show, by the names that people have for them. */
import type { Result } from '#client';

export type Zone = Result<'zones.get'>;
export type Plan = Zone['plan']['legacy_id'];

/** An event of the activity log. Most of it is the attacker's: it is shown as text and nothing else. */
export type SecurityEvent = Result<'security.get'>;

/** How a request was judged. All of it is text for people, and some of it is the attacker's. */
export type Judged = Result<'security.trace'>['explanation'];
export type JudgedStep = Judged['steps'][number];
export type JudgedRule = Judged['rules'][number];
/** An expression, or a part of it, with what it saw. */
export type JudgedPart = NonNullable<JudgedRule['tree']>;
export type JudgedMatch = NonNullable<JudgedPart['matched']>[number];
