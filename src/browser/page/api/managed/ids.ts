/** The ids of managed rulesets with special treatment on the page. */
export const managedRulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
/** Its rules score; the last one compares the score and acts. */
export const owaspRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f';
export const scoreRuleId = '6179ae15870a4bb7b2d480d4843b323c';
export const paranoiaLevels = [1, 2, 3, 4] as const;
