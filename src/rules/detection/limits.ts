/** Limits of detectors, each with its reason. */

/** How many nested encodings are decoded: three servers in turn, and two for what they pass on. */
export const decodingsMax = 5;

/**
 * Each reading of a text longer than this takes milliseconds, so fewer readings are made. Longer than all of Base64.
 */
export const longCharactersMin = 16 * 1024;
export const longDecodingsMax = 2;

/** Length of the text in an event: as much as fits into a line. */
export const readCharactersMax = 120;

/** A shorter text in Base64 proves nothing: `aWQ7` may as well be a word. */
export const base64CharactersMin = 12;

/** Longer values in Base64 are files. */
export const base64CharactersMax = 16 * 1024;

/** Quotes at which a value may leave a string. The text after the first one must be valid in its statement. */
export const quotesTriedMax = 4;

/** Positions inside of a text at which a statement may start: an injected one is among the first. */
export const innerTriedMax = 6;

/** Tokens of SQL in one context. Injected statements are short: what follows this many tokens is data. */
export const sqlTokensMax = 600;

/** Nested parentheses of SQL; deeper ones do not occur in real expressions. */
export const sqlDepthMax = 40;

/** Tags that are examined in one text: a page has hundreds. */
export const tagsMax = 4_000;

/**
 * The cost of parts of the work in steps of the request's budget, 5 ns each: measured on program sources and on
 * worst-case texts, to a factor of two. The table of detectors contains each detector's minimum.
 */
export const stepsPerText = 60;
/** A reading of a text, before any detector runs, and each of its characters for all detectors together. */
export const stepsPerReading = 100;
export const stepsPerCharacter = 3;
/** Each character of a text that is decoded once, or searched in only one way. */
export const stepsPerCharacterOnce = 1;
export const stepsPerSqlToken = 75;
/** A name of JavaScript, an expression of a template, a tag or an attribute. */
export const stepsPerName = 100;
export const stepsPerExpression = 200;
export const stepsPerTag = 60;
/**
 * A position where a command may start, each character of the word that starts there, and the surroundings of a
 * program.
 */
export const stepsPerOpening = 170;
export const stepsPerWordCharacter = 2;
export const stepsPerCommand = 400;

/** Documents inside of documents: JSON in a form in an address. */
export const innerDepthMax = 3;
