/** Answers of authorities are small: an order of 100 names takes 20 KB, a chain of certificates 8 KB. */
export const answerBytesMax = 1_048_576;

/** An authority that does not answer for so long is away. */
export const answerMsMax = 30_000;

/** RFC 8555, section 6.5: a nonce that is refused may be followed by any number; more in a row are a fault of theirs. */
export const nonceAttemptsMax = 5;

/** How long an authority may take to check a name or to issue a certificate. */
export const orderMsMax = 120_000;

/** The first pause between two looks at an order, where the authority names none; it doubles. */
export const lookMs = 250;

/** The longest pause between two looks, also where the authority asks for more. */
export const lookMsMax = 15_000;
