/** Answers of authorities are small: an order of 100 names takes 20 KB, a chain of certificates 8 KB. */
export const answerBytesMax = 1_048_576;

/** An authority that does not answer within this time counts as unavailable. */
export const answerMsMax = 30_000;

/** RFC 8555, section 6.5: any number of nonces may be refused; more than this in a row are a fault of the authority. */
export const nonceAttemptsMax = 5;

/** How long an authority may take to check a name or to issue a certificate. */
export const orderMsMax = 120_000;

/** The first pause between two status checks of an order, where the authority requests none; it doubles. */
export const lookMs = 250;

/** The longest pause between two status checks, even if the authority requests more. */
export const lookMsMax = 15_000;
