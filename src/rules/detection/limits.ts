/** Bounds of detectors, each with its reason. */

/** How often encodings are undone one below the other: three servers in turn, and two for what they pass on. */
export const decodingsMax = 5;

/** Of texts longer than this, each reading takes milliseconds: fewer of them have to do. Longer than all of Base64. */
export const longCharactersMin = 16 * 1024;
export const longDecodingsMax = 2;

/** Of the text that an event shows: what fits into a line. */
export const readCharactersMax = 120;

/** A text in Base64 shorter than this says nothing: `aWQ7` is as likely a word. */
export const base64CharactersMin = 12;

/** Longer values in Base64 are files. */
export const base64CharactersMax = 16 * 1024;

/** Quotes at which a value may leave a string. What stands behind the first one has to be valid in its statement. */
export const quotesTriedMax = 4;

/** Places inside of a text at which a statement may begin: what is injected is among the first. */
export const innerTriedMax = 6;

/** Of one context of SQL. Injected statements are short: what stands behind so many tokens is data. */
export const sqlTokensMax = 600;

/** Nested parentheses of SQL that are read; deeper ones are no expression that anybody writes. */
export const sqlDepthMax = 40;

/** Tags that are looked at in one text: a page has hundreds. */
export const tagsMax = 4_000;

/**
 * Steps of the request's budget that parts of the work take, 5 ns each: measured over sources of programs and over texts
 * made to take long, to a factor of two. What a detector takes at least is told in the table of detectors.
 */
export const stepsPerText = 60;
/** A reading of a text, before any detector looks at it, and each of its characters for all detectors together. */
export const stepsPerReading = 100;
export const stepsPerCharacter = 3;
/** Each character that encodings are undone in, or that is looked for in one way alone. */
export const stepsPerCharacterOnce = 1;
export const stepsPerSqlToken = 75;
/** A name of JavaScript, an expression of a template, a tag or an attribute. */
export const stepsPerName = 100;
export const stepsPerExpression = 200;
export const stepsPerTag = 60;
/** A place where a command may begin, each character of the word that begins there, and what stands around a program. */
export const stepsPerOpening = 170;
export const stepsPerWordCharacter = 2;
export const stepsPerCommand = 400;

/** Documents inside of documents: JSON in a form in an address. */
export const innerDepthMax = 3;
