/** Bounds of detectors, each with its reason. */

/** How often encodings are undone one below the other: three servers in turn, and two for what they pass on. */
export const decodingsMax = 5;

/** Of texts longer than this, each reading takes milliseconds: fewer of them have to do. Longer than all of Base64. */
export const longCharactersMin = 32 * 1024;
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

/** Steps that looking at one character once with one detector takes, for the budget of the request. */
export const stepsPerCharacter = 2;

/** Steps that looking at one text takes, however short it is. */
export const stepsPerText = 60;

/** Documents inside of documents: JSON in a form in an address. */
export const innerDepthMax = 3;
