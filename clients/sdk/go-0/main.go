// Cloudflare's SDK for Go before its rewrite (cloudflare-go 0.x) against a server: every method that the server serves, once.
//
// Prints a line of JSON for each call. It is built and run by clients/sdks.ts.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	cloudflare "github.com/cloudflare/cloudflare-go"
)

var (
	ctx     = context.Background()
	api     *cloudflare.API
	account = os.Getenv("GATEHOUSE_ACCOUNT")
	zone    = os.Getenv("GATEHOUSE_ZONE")
	name    = os.Getenv("GATEHOUSE_ZONE_NAME")
	ofOwner = cloudflare.AccountIdentifier(account)
	ofZone  = cloudflare.ZoneIdentifier(zone)
	yes     = true
)

func report(what string, err error) {
	var problem *string
	if err != nil {
		text := err.Error()
		problem = &text
	}
	line, _ := json.Marshal(map[string]any{"what": what, "problem": problem})
	fmt.Println(string(line))
}

// try makes a call. What the SDK panics of is a failure of the call, as it would be of the program that uses it.
func try[T any](what string, call func() (T, error)) (result T) {
	defer func() {
		if cause := recover(); cause != nil {
			report(what, fmt.Errorf("panic: %v", cause))
		}
	}()
	result, err := call()
	report(what, err)
	return
}

func do(what string, call func() error) {
	try(what, func() (struct{}, error) { return struct{}{}, call() })
}

func expect(isTrue bool, format string, values ...any) error {
	if isTrue {
		return nil
	}
	return fmt.Errorf(format, values...)
}

func main() {
	var err error
	api, err = cloudflare.NewWithAPIToken(os.Getenv("GATEHOUSE_TOKEN"),
		cloudflare.BaseURL(os.Getenv("GATEHOUSE_API")), cloudflare.UsingRetryPolicy(0, 0, 0))
	if err != nil {
		panic(err)
	}
	for _, family := range []func(){people, zones, filters, managed, pageRules, tools, rulesets, lists, tokens,
		balancing, reporting, stores, workers, migrated} {
		family()
	}
}

func people() {
	try("UserDetails", func() (cloudflare.User, error) { return api.UserDetails(ctx) })
	try("Accounts", func() ([]cloudflare.Account, error) {
		all, _, err := api.Accounts(ctx, cloudflare.AccountsListParams{})
		return all, err
	})
	do("Account", func() error { _, _, err := api.Account(ctx, account); return err })
	members := try("AccountMembers", func() ([]cloudflare.AccountMember, error) {
		all, _, err := api.AccountMembers(ctx, account, cloudflare.PaginationOptions{})
		return all, err
	})
	do("AccountMember", func() error {
		if len(members) == 0 {
			return fmt.Errorf("there is no member")
		}
		_, err := api.AccountMember(ctx, account, members[0].ID)
		return err
	})
	roles := try("ListAccountRoles", func() ([]cloudflare.AccountRole, error) {
		return api.ListAccountRoles(ctx, ofOwner, cloudflare.ListAccountRolesParams{})
	})
	do("GetAccountRole", func() error {
		if len(roles) == 0 {
			return fmt.Errorf("there is no role")
		}
		_, err := api.GetAccountRole(ctx, ofOwner, roles[0].ID)
		return err
	})
	do("GetUserAuditLogs", func() error {
		_, err := api.GetUserAuditLogs(ctx, cloudflare.AuditLogFilter{})
		return err
	})
	do("GetOrganizationAuditLogs", func() error {
		_, err := api.GetOrganizationAuditLogs(ctx, account, cloudflare.AuditLogFilter{})
		return err
	})
	for _, options := range []cloudflare.CustomPageOptions{{AccountID: account}, {ZoneID: zone}} {
		do("CustomPages", func() error {
			pages, err := api.CustomPages(ctx, &options)
			if err == nil && len(pages) > 0 {
				_, err = api.CustomPage(ctx, &options, pages[0].ID)
			}
			return err
		})
	}
}

func zones() {
	try("ListZones", func() ([]cloudflare.Zone, error) { return api.ListZones(ctx, name) })
	do("ListZonesContext", func() error { _, err := api.ListZonesContext(ctx); return err })
	do("ZoneDetails", func() error { _, err := api.ZoneDetails(ctx, zone); return err })
	do("AvailableZonePlans", func() error { _, err := api.AvailableZonePlans(ctx, zone); return err })
	made := try("CreateZone", func() (cloudflare.Zone, error) {
		return api.CreateZone(ctx, "go-0."+name, false, cloudflare.Account{ID: account}, "full")
	})
	do("ZoneSetPaused", func() error { _, err := api.ZoneSetPaused(ctx, made.ID, true); return err })
	do("EditZone", func() error {
		_, err := api.EditZone(ctx, made.ID, cloudflare.ZoneOptions{Paused: new(bool)})
		return err
	})
	do("DeleteZone", func() error { _, err := api.DeleteZone(ctx, made.ID); return err })
	do("ZoneSettings", func() error { _, err := api.ZoneSettings(ctx, zone); return err })
	do("UpdateZoneSettings", func() error {
		_, err := api.UpdateZoneSettings(ctx, zone, []cloudflare.ZoneSetting{{ID: "browser_check", Value: "on"}})
		return err
	})
	setting := try("GetZoneSetting", func() (cloudflare.ZoneSetting, error) {
		return api.GetZoneSetting(ctx, ofZone, cloudflare.GetZoneSettingParams{Name: "security_level"})
	})
	do("UpdateZoneSetting", func() error {
		_, err := api.UpdateZoneSetting(ctx, ofZone,
			cloudflare.UpdateZoneSettingParams{Name: "security_level", Value: setting.Value})
		return err
	})
	do("ZoneSSLSettings", func() error { _, err := api.ZoneSSLSettings(ctx, zone); return err })
	do("UpdateZoneSSLSettings", func() error { _, err := api.UpdateZoneSSLSettings(ctx, zone, "full"); return err })
	do("URLNormalizationSettings", func() error { _, err := api.URLNormalizationSettings(ctx, ofZone); return err })
	do("UpdateURLNormalizationSettings", func() error {
		_, err := api.UpdateURLNormalizationSettings(ctx, ofZone,
			cloudflare.URLNormalizationSettingsUpdateParams{Type: "cloudflare", Scope: "incoming"})
		return err
	})
	do("UniversalSSLSettingDetails", func() error { _, err := api.UniversalSSLSettingDetails(ctx, zone); return err })
	do("EditUniversalSSLSetting", func() error {
		_, err := api.EditUniversalSSLSetting(ctx, zone, cloudflare.UniversalSSLSetting{Enabled: true})
		return err
	})
	do("ListSSL", func() error { _, err := api.ListSSL(ctx, zone); return err })
}

func filters() {
	do("ValidateFilterExpression", func() error {
		return api.ValidateFilterExpression(ctx, `http.host eq "a.example"`)
	})
	made := try("CreateFilters", func() ([]cloudflare.Filter, error) {
		return api.CreateFilters(ctx, ofZone, []cloudflare.FilterCreateParams{
			{Expression: `http.request.uri.path eq "/go-0"`}, {Expression: `http.request.uri.path eq "/go-1"`}})
	})
	if len(made) < 2 {
		return
	}
	do("Filter", func() error { _, err := api.Filter(ctx, ofZone, made[0].ID); return err })
	do("Filters", func() error {
		_, _, err := api.Filters(ctx, ofZone, cloudflare.FilterListParams{})
		return err
	})
	changed := cloudflare.FilterUpdateParams(made[0])
	changed.Description = "changed"
	do("UpdateFilter", func() error { _, err := api.UpdateFilter(ctx, ofZone, changed); return err })
	do("UpdateFilters", func() error {
		_, err := api.UpdateFilters(ctx, ofZone, []cloudflare.FilterUpdateParams{changed})
		return err
	})
	rules := try("CreateFirewallRules", func() ([]cloudflare.FirewallRule, error) {
		return api.CreateFirewallRules(ctx, ofZone, []cloudflare.FirewallRuleCreateParams{
			{Action: "block", Filter: made[0]}, {Action: "log", Filter: made[1]}})
	})
	if len(rules) == 2 {
		do("FirewallRule", func() error { _, err := api.FirewallRule(ctx, ofZone, rules[0].ID); return err })
		do("FirewallRules", func() error {
			_, _, err := api.FirewallRules(ctx, ofZone, cloudflare.FirewallRuleListParams{})
			return err
		})
		read := rules[0]
		rule := cloudflare.FirewallRuleUpdateParams{ID: read.ID, Paused: true, Action: read.Action, Filter: read.Filter}
		do("UpdateFirewallRule", func() error { _, err := api.UpdateFirewallRule(ctx, ofZone, rule); return err })
		do("UpdateFirewallRules", func() error {
			_, err := api.UpdateFirewallRules(ctx, ofZone, []cloudflare.FirewallRuleUpdateParams{rule})
			return err
		})
		do("DeleteFirewallRule", func() error { return api.DeleteFirewallRule(ctx, ofZone, rules[0].ID) })
		do("DeleteFirewallRules", func() error { return api.DeleteFirewallRules(ctx, ofZone, []string{rules[1].ID}) })
	}
	do("DeleteFilter", func() error { return api.DeleteFilter(ctx, ofZone, made[0].ID) })
	do("DeleteFilters", func() error { return api.DeleteFilters(ctx, ofZone, []string{made[1].ID}) })
}

func managed() {
	packages := try("ListWAFPackages", func() ([]cloudflare.WAFPackage, error) { return api.ListWAFPackages(ctx, zone) })
	for _, each := range packages {
		if each.DetectionMode == "anomaly" {
			do("WAFPackage", func() error { _, err := api.WAFPackage(ctx, zone, each.ID); return err })
			do("UpdateWAFPackage", func() error {
				_, err := api.UpdateWAFPackage(ctx, zone, each.ID,
					cloudflare.WAFPackageOptions{Sensitivity: "low", ActionMode: "simulate"})
				return err
			})
			continue
		}
		groups, err := api.ListWAFGroups(ctx, zone, each.ID)
		if len(groups) == 0 {
			continue
		}
		report("ListWAFGroups", err)
		do("WAFGroup", func() error { _, err := api.WAFGroup(ctx, zone, each.ID, groups[0].ID); return err })
		do("UpdateWAFGroup", func() error {
			mode := map[string]string{"on": "off", "off": "on"}[groups[0].Mode]
			_, err := api.UpdateWAFGroup(ctx, zone, each.ID, groups[0].ID, mode)
			return err
		})
		rules := try("ListWAFRules", func() ([]cloudflare.WAFRule, error) { return api.ListWAFRules(ctx, zone, each.ID) })
		do("WAFRule", func() error { _, err := api.WAFRule(ctx, zone, each.ID, rules[0].ID); return err })
		do("UpdateWAFRule", func() error {
			_, err := api.UpdateWAFRule(ctx, zone, each.ID, rules[0].ID, "disable")
			return err
		})
	}
	made := try("CreateWAFOverride", func() (cloudflare.WAFOverride, error) {
		return api.CreateWAFOverride(ctx, zone, cloudflare.WAFOverride{URLs: []string{name + "/go-0"},
			Rules: map[string]string{"100015": "disable"}, RewriteAction: map[string]string{"block": "block"}})
	})
	do("ListWAFOverrides", func() error { _, err := api.ListWAFOverrides(ctx, zone); return err })
	do("WAFOverride", func() error { _, err := api.WAFOverride(ctx, zone, made.ID); return err })
	do("UpdateWAFOverride", func() error {
		made.Description = "changed"
		_, err := api.UpdateWAFOverride(ctx, zone, made.ID, made)
		return err
	})
	do("DeleteWAFOverride", func() error { return api.DeleteWAFOverride(ctx, zone, made.ID) })
}

func pageRule(path string, actions ...cloudflare.PageRuleAction) cloudflare.PageRule {
	target := cloudflare.PageRuleTarget{Target: "url"}
	target.Constraint.Operator = "matches"
	target.Constraint.Value = name + path
	return cloudflare.PageRule{Targets: []cloudflare.PageRuleTarget{target}, Actions: actions, Priority: 1, Status: "active"}
}

func pageRules() {
	rule := pageRule("/go-0/*", cloudflare.PageRuleAction{ID: "security_level", Value: "high"})
	made := try("CreatePageRule", func() (*cloudflare.PageRule, error) { return api.CreatePageRule(ctx, zone, rule) })
	if made == nil {
		return
	}
	do("ListPageRules", func() error { _, err := api.ListPageRules(ctx, zone); return err })
	read := try("PageRule", func() (cloudflare.PageRule, error) { return api.PageRule(ctx, zone, made.ID) })
	do("ChangePageRule", func() error { return api.ChangePageRule(ctx, zone, made.ID, read) })
	do("UpdatePageRule", func() error { return api.UpdatePageRule(ctx, zone, made.ID, read) })
	do("DeletePageRule", func() error { return api.DeletePageRule(ctx, zone, made.ID) })
}

func tools() {
	limit := try("CreateRateLimit", func() (cloudflare.RateLimit, error) {
		return api.CreateRateLimit(ctx, zone, cloudflare.RateLimit{Threshold: 10, Period: 60,
			Match: cloudflare.RateLimitTrafficMatcher{Request: cloudflare.RateLimitRequestMatcher{
				Methods: []string{"POST"}, Schemes: []string{"_ALL_"}, URLPattern: name + "/login*"}},
			Action: cloudflare.RateLimitAction{Mode: "ban", Timeout: 60}})
	})
	do("ListAllRateLimits", func() error { _, err := api.ListAllRateLimits(ctx, zone); return err })
	do("RateLimit", func() error { _, err := api.RateLimit(ctx, zone, limit.ID); return err })
	do("UpdateRateLimit", func() error { _, err := api.UpdateRateLimit(ctx, zone, limit.ID, limit); return err })
	do("DeleteRateLimit", func() error { return api.DeleteRateLimit(ctx, zone, limit.ID) })

	access := cloudflare.AccessRule{Mode: "block", Notes: "go",
		Configuration: cloudflare.AccessRuleConfiguration{Target: "ip", Value: "192.0.2.9"}}
	inZone := try("CreateZoneAccessRule", func() (*cloudflare.AccessRuleResponse, error) {
		return api.CreateZoneAccessRule(ctx, zone, access)
	})
	do("ListZoneAccessRules", func() error {
		_, err := api.ListZoneAccessRules(ctx, zone, cloudflare.AccessRule{}, 1)
		return err
	})
	do("ZoneAccessRule", func() error { _, err := api.ZoneAccessRule(ctx, zone, inZone.Result.ID); return err })
	do("UpdateZoneAccessRule", func() error {
		_, err := api.UpdateZoneAccessRule(ctx, zone, inZone.Result.ID, inZone.Result)
		return err
	})
	do("DeleteZoneAccessRule", func() error { _, err := api.DeleteZoneAccessRule(ctx, zone, inZone.Result.ID); return err })
	inAccount := try("CreateAccountAccessRule", func() (*cloudflare.AccessRuleResponse, error) {
		return api.CreateAccountAccessRule(ctx, account, access)
	})
	do("ListAccountAccessRules", func() error {
		_, err := api.ListAccountAccessRules(ctx, account, cloudflare.AccessRule{}, 1)
		return err
	})
	do("AccountAccessRule", func() error {
		_, err := api.AccountAccessRule(ctx, account, inAccount.Result.ID)
		return err
	})
	do("UpdateAccountAccessRule", func() error {
		_, err := api.UpdateAccountAccessRule(ctx, account, inAccount.Result.ID, inAccount.Result)
		return err
	})
	do("DeleteAccountAccessRule", func() error {
		_, err := api.DeleteAccountAccessRule(ctx, account, inAccount.Result.ID)
		return err
	})

	locked := try("CreateZoneLockdown", func() (cloudflare.ZoneLockdown, error) {
		return api.CreateZoneLockdown(ctx, ofZone, cloudflare.ZoneLockdownCreateParams{URLs: []string{name + "/admin"},
			Configurations: []cloudflare.ZoneLockdownConfig{{Target: "ip", Value: "192.0.2.9"}}})
	})
	do("ListZoneLockdowns", func() error {
		_, _, err := api.ListZoneLockdowns(ctx, ofZone, cloudflare.LockdownListParams{})
		return err
	})
	do("ZoneLockdown", func() error { _, err := api.ZoneLockdown(ctx, ofZone, locked.ID); return err })
	do("UpdateZoneLockdown", func() error {
		_, err := api.UpdateZoneLockdown(ctx, ofZone, cloudflare.ZoneLockdownUpdateParams{ID: locked.ID,
			Description: "changed", URLs: locked.URLs, Configurations: locked.Configurations})
		return err
	})
	do("DeleteZoneLockdown", func() error { _, err := api.DeleteZoneLockdown(ctx, ofZone, locked.ID); return err })

	agent := cloudflare.UserAgentRule{Mode: "block",
		Configuration: cloudflare.UserAgentRuleConfig{Target: "ua", Value: "GoBot"}}
	blocked := try("CreateUserAgentRule", func() (*cloudflare.UserAgentRuleResponse, error) {
		return api.CreateUserAgentRule(ctx, zone, agent)
	})
	do("ListUserAgentRules", func() error { _, err := api.ListUserAgentRules(ctx, zone, 1); return err })
	do("UserAgentRule", func() error { _, err := api.UserAgentRule(ctx, zone, blocked.Result.ID); return err })
	do("UpdateUserAgentRule", func() error {
		_, err := api.UpdateUserAgentRule(ctx, zone, blocked.Result.ID, blocked.Result)
		return err
	})
	do("DeleteUserAgentRule", func() error { _, err := api.DeleteUserAgentRule(ctx, zone, blocked.Result.ID); return err })
}

func rulesets() {
	const phase = "http_request_firewall_custom"
	rule := cloudflare.RulesetRule{Action: "block", Expression: `http.request.uri.path eq "/go-0"`, Enabled: &yes}
	entry := try("UpdateEntrypointRuleset", func() (cloudflare.Ruleset, error) {
		return api.UpdateEntrypointRuleset(ctx, ofZone,
			cloudflare.UpdateEntrypointRulesetParams{Phase: phase, Rules: []cloudflare.RulesetRule{rule}})
	})
	do("GetEntrypointRuleset", func() error { _, err := api.GetEntrypointRuleset(ctx, ofZone, phase); return err })
	do("ListRulesets", func() error {
		_, err := api.ListRulesets(ctx, ofZone, cloudflare.ListRulesetsParams{})
		return err
	})
	do("GetRuleset", func() error { _, err := api.GetRuleset(ctx, ofZone, entry.ID); return err })
	do("UpdateRuleset", func() error {
		_, err := api.UpdateRuleset(ctx, ofZone,
			cloudflare.UpdateRulesetParams{ID: entry.ID, Description: "go", Rules: entry.Rules})
		return err
	})
	// Its DeleteRulesetRule takes an answer with the ruleset, which is what Cloudflare documents, for a failure.
	do("DeleteRuleset", func() error { return api.DeleteRuleset(ctx, ofZone, entry.ID) })
	custom := try("CreateRuleset", func() (cloudflare.Ruleset, error) {
		return api.CreateRuleset(ctx, ofOwner, cloudflare.CreateRulesetParams{Name: "go", Kind: "custom", Phase: phase,
			Rules: []cloudflare.RulesetRule{rule}})
	})
	do("DeleteRuleset of the account", func() error { return api.DeleteRuleset(ctx, ofOwner, custom.ID) })
}

func lists() {
	list := try("CreateList", func() (cloudflare.List, error) {
		return api.CreateList(ctx, ofOwner, cloudflare.ListCreateParams{Name: "go_0", Kind: "ip", Description: "go"})
	})
	do("ListLists", func() error { _, err := api.ListLists(ctx, ofOwner, cloudflare.ListListsParams{}); return err })
	do("GetList", func() error { _, err := api.GetList(ctx, ofOwner, list.ID); return err })
	do("UpdateList", func() error {
		_, err := api.UpdateList(ctx, ofOwner, cloudflare.ListUpdateParams{ID: list.ID, Description: "changed"})
		return err
	})
	address := "192.0.2.1"
	items := try("CreateListItem", func() ([]cloudflare.ListItem, error) {
		return api.CreateListItem(ctx, ofOwner, cloudflare.ListCreateItemParams{ID: list.ID,
			Item: cloudflare.ListItemCreateRequest{IP: &address}})
	})
	do("ListListItems", func() error {
		_, err := api.ListListItems(ctx, ofOwner, cloudflare.ListListItemsParams{ID: list.ID})
		return err
	})
	do("GetListItem", func() error { _, err := api.GetListItem(ctx, ofOwner, list.ID, items[0].ID); return err })
	do("ReplaceListItems", func() error {
		_, err := api.ReplaceListItems(ctx, ofOwner, cloudflare.ListReplaceItemsParams{ID: list.ID,
			Items: []cloudflare.ListItemCreateRequest{{IP: &address, Comment: "again"}}})
		return err
	})
	do("DeleteListItems", func() error {
		left, err := api.ListListItems(ctx, ofOwner, cloudflare.ListListItemsParams{ID: list.ID})
		if err == nil {
			_, err = api.DeleteListItems(ctx, ofOwner, cloudflare.ListDeleteItemsParams{ID: list.ID,
				Items: cloudflare.ListItemDeleteRequest{Items: []cloudflare.ListItemDeleteItemRequest{{ID: left[0].ID}}}})
		}
		return err
	})
	do("DeleteList", func() error { _, err := api.DeleteList(ctx, ofOwner, list.ID); return err })
}

func tokens() {
	groups := try("ListAPITokensPermissionGroups", func() ([]cloudflare.APITokenPermissionGroups, error) {
		return api.ListAPITokensPermissionGroups(ctx)
	})
	do("VerifyAPIToken", func() error { _, err := api.VerifyAPIToken(ctx); return err })
	do("APITokens", func() error { _, err := api.APITokens(ctx); return err })
	for _, group := range groups {
		if group.Name != "Zone Read" {
			continue
		}
		token := cloudflare.APIToken{Name: "go", Policies: []cloudflare.APITokenPolicies{{Effect: "allow",
			Resources:        map[string]any{"com.cloudflare.api.account.zone." + zone: "*"},
			PermissionGroups: []cloudflare.APITokenPermissionGroups{{ID: group.ID}}}}}
		made := try("CreateAPIToken", func() (cloudflare.APIToken, error) { return api.CreateAPIToken(ctx, token) })
		read := try("GetAPIToken", func() (cloudflare.APIToken, error) { return api.GetAPIToken(ctx, made.ID) })
		do("UpdateAPIToken", func() error { _, err := api.UpdateAPIToken(ctx, made.ID, read); return err })
		do("RollAPIToken", func() error { _, err := api.RollAPIToken(ctx, made.ID); return err })
		do("DeleteAPIToken", func() error { return api.DeleteAPIToken(ctx, made.ID) })
	}
}

func balancing() {
	monitor := try("CreateLoadBalancerMonitor", func() (cloudflare.LoadBalancerMonitor, error) {
		return api.CreateLoadBalancerMonitor(ctx, ofOwner, cloudflare.CreateLoadBalancerMonitorParams{
			LoadBalancerMonitor: cloudflare.LoadBalancerMonitor{Type: "http", Method: "GET", Path: "/", Timeout: 5,
				Retries: 2, Interval: 60, ExpectedCodes: "200"}})
	})
	do("ListLoadBalancerMonitors", func() error {
		_, err := api.ListLoadBalancerMonitors(ctx, ofOwner, cloudflare.ListLoadBalancerMonitorParams{})
		return err
	})
	do("GetLoadBalancerMonitor", func() error { _, err := api.GetLoadBalancerMonitor(ctx, ofOwner, monitor.ID); return err })
	do("UpdateLoadBalancerMonitor", func() error {
		_, err := api.UpdateLoadBalancerMonitor(ctx, ofOwner, cloudflare.UpdateLoadBalancerMonitorParams{LoadBalancerMonitor: monitor})
		return err
	})
	pool := try("CreateLoadBalancerPool", func() (cloudflare.LoadBalancerPool, error) {
		return api.CreateLoadBalancerPool(ctx, ofOwner, cloudflare.CreateLoadBalancerPoolParams{
			LoadBalancerPool: cloudflare.LoadBalancerPool{Name: "go-0", Enabled: true, Monitor: monitor.ID,
				LoadShedding: &cloudflare.LoadBalancerLoadShedding{DefaultPercent: 10, DefaultPolicy: "random",
					SessionPercent: 5, SessionPolicy: "hash"},
				Origins: []cloudflare.LoadBalancerOrigin{{Name: "one", Address: "one.example.net", Enabled: true, Weight: 1}}}})
	})
	do("ListLoadBalancerPools", func() error {
		_, err := api.ListLoadBalancerPools(ctx, ofOwner, cloudflare.ListLoadBalancerPoolParams{})
		return err
	})
	read := try("GetLoadBalancerPool", func() (cloudflare.LoadBalancerPool, error) {
		return api.GetLoadBalancerPool(ctx, ofOwner, pool.ID)
	})
	do("UpdateLoadBalancerPool", func() error {
		_, err := api.UpdateLoadBalancerPool(ctx, ofOwner, cloudflare.UpdateLoadBalancerPoolParams{LoadBalancer: read})
		return err
	})
	do("GetLoadBalancerPoolHealth", func() error { _, err := api.GetLoadBalancerPoolHealth(ctx, ofOwner, pool.ID); return err })
	balancer := try("CreateLoadBalancer", func() (cloudflare.LoadBalancer, error) {
		return api.CreateLoadBalancer(ctx, ofZone, cloudflare.CreateLoadBalancerParams{
			LoadBalancer: cloudflare.LoadBalancer{Name: "www." + name, DefaultPools: []string{pool.ID}, FallbackPool: pool.ID,
				SteeringPolicy: "geo", RegionPools: map[string][]string{"WNAM": {pool.ID}},
				LocationStrategy: &cloudflare.LocationStrategy{PreferECS: "always", Mode: "resolver_ip"}}})
	})
	do("ListLoadBalancers", func() error {
		_, err := api.ListLoadBalancers(ctx, ofZone, cloudflare.ListLoadBalancerParams{})
		return err
	})
	kept := try("GetLoadBalancer", func() (cloudflare.LoadBalancer, error) {
		return api.GetLoadBalancer(ctx, ofZone, balancer.ID)
	})
	do("UpdateLoadBalancer", func() error {
		_, err := api.UpdateLoadBalancer(ctx, ofZone, cloudflare.UpdateLoadBalancerParams{LoadBalancer: kept})
		if err != nil {
			return err
		}
		strategy := kept.LocationStrategy
		return expect(kept.SteeringPolicy == "geo" && strategy != nil && strategy.PreferECS == "always",
			"steering policy %q and location strategy %v are not what was sent", kept.SteeringPolicy, strategy)
	})
	do("DeleteLoadBalancer", func() error { return api.DeleteLoadBalancer(ctx, ofZone, balancer.ID) })
	do("DeleteLoadBalancerPool", func() error { return api.DeleteLoadBalancerPool(ctx, ofOwner, pool.ID) })
	do("DeleteLoadBalancerMonitor", func() error { return api.DeleteLoadBalancerMonitor(ctx, ofOwner, monitor.ID) })
}

func reporting() {
	job := try("CreateLogpushJob", func() (*cloudflare.LogpushJob, error) {
		return api.CreateLogpushJob(ctx, ofZone, cloudflare.CreateLogpushJobParams{Dataset: "firewall_events", Name: "go",
			DestinationConf: "https://logs.example/in", LogpullOptions: "fields=RayID,Action&timestamps=rfc3339"})
	})
	do("ListLogpushJobs", func() error {
		_, err := api.ListLogpushJobs(ctx, ofZone, cloudflare.ListLogpushJobsParams{})
		return err
	})
	if job != nil {
		do("GetLogpushJob", func() error { _, err := api.GetLogpushJob(ctx, ofZone, job.ID); return err })
		do("UpdateLogpushJob", func() error {
			return api.UpdateLogpushJob(ctx, ofZone, cloudflare.UpdateLogpushJobParams{ID: job.ID, Name: "changed",
				Dataset: job.Dataset, DestinationConf: job.DestinationConf, LogpullOptions: job.LogpullOptions})
		})
		do("DeleteLogpushJob", func() error { return api.DeleteLogpushJob(ctx, ofZone, job.ID) })
	}
	do("GetLogpushFields", func() error {
		_, err := api.GetLogpushFields(ctx, ofZone, cloudflare.GetLogpushFieldsParams{Dataset: "firewall_events"})
		return err
	})
	hook := try("CreateNotificationWebhooks", func() (cloudflare.SaveResponse, error) {
		return api.CreateNotificationWebhooks(ctx, account,
			&cloudflare.NotificationUpsertWebhooks{Name: "go", URL: "https://chat.example/hook"})
	})
	do("ListNotificationWebhooks", func() error { _, err := api.ListNotificationWebhooks(ctx, account); return err })
	do("GetNotificationWebhooks", func() error {
		_, err := api.GetNotificationWebhooks(ctx, account, hook.Result.ID)
		return err
	})
	policy := cloudflare.NotificationPolicy{Name: "go", Enabled: true, AlertType: "clickhouse_alert_fw_anomaly",
		Mechanisms: map[string]cloudflare.NotificationMechanismIntegrations{"webhooks": {{ID: hook.Result.ID}}}}
	saved := try("CreateNotificationPolicy", func() (cloudflare.SaveResponse, error) {
		return api.CreateNotificationPolicy(ctx, account, policy)
	})
	do("ListNotificationPolicies", func() error { _, err := api.ListNotificationPolicies(ctx, account); return err })
	read := try("GetNotificationPolicy", func() (cloudflare.NotificationPolicyResponse, error) {
		return api.GetNotificationPolicy(ctx, account, saved.Result.ID)
	})
	do("UpdateNotificationPolicy", func() error {
		_, err := api.UpdateNotificationPolicy(ctx, account, &read.Result)
		return err
	})
	do("DeleteNotificationPolicy", func() error {
		_, err := api.DeleteNotificationPolicy(ctx, account, saved.Result.ID)
		return err
	})
	do("DeleteNotificationWebhooks", func() error {
		_, err := api.DeleteNotificationWebhooks(ctx, account, hook.Result.ID)
		return err
	})
	do("GetAvailableNotificationTypes", func() error { _, err := api.GetAvailableNotificationTypes(ctx, account); return err })
	do("ListNotificationHistory", func() error {
		_, _, err := api.ListNotificationHistory(ctx, account, cloudflare.AlertHistoryFilter{})
		return err
	})
}

// What a Worker is bound to below.
var (
	namespace cloudflare.WorkersKVNamespaceResponse
	database  cloudflare.D1Database
)

func stores() {
	namespace = try("CreateWorkersKVNamespace", func() (cloudflare.WorkersKVNamespaceResponse, error) {
		return api.CreateWorkersKVNamespace(ctx, ofOwner, cloudflare.CreateWorkersKVNamespaceParams{Title: "go-0"})
	})
	kv := namespace.Result.ID
	do("ListWorkersKVNamespaces", func() error {
		_, _, err := api.ListWorkersKVNamespaces(ctx, ofOwner, cloudflare.ListWorkersKVNamespacesParams{})
		return err
	})
	do("UpdateWorkersKVNamespace", func() error {
		_, err := api.UpdateWorkersKVNamespace(ctx, ofOwner,
			cloudflare.UpdateWorkersKVNamespaceParams{NamespaceID: kv, Title: "go-0-again"})
		return err
	})
	do("WriteWorkersKVEntry", func() error {
		_, err := api.WriteWorkersKVEntry(ctx, ofOwner,
			cloudflare.WriteWorkersKVEntryParams{NamespaceID: kv, Key: "a key", Value: []byte("a value")})
		return err
	})
	do("WriteWorkersKVEntries", func() error {
		_, err := api.WriteWorkersKVEntries(ctx, ofOwner, cloudflare.WriteWorkersKVEntriesParams{NamespaceID: kv,
			KVs: []*cloudflare.WorkersKVPair{{Key: "b", Value: "c"}}})
		return err
	})
	do("GetWorkersKV", func() error {
		_, err := api.GetWorkersKV(ctx, ofOwner, cloudflare.GetWorkersKVParams{NamespaceID: kv, Key: "a key"})
		return err
	})
	do("ListWorkersKVKeys", func() error {
		_, err := api.ListWorkersKVKeys(ctx, ofOwner, cloudflare.ListWorkersKVsParams{NamespaceID: kv})
		return err
	})
	do("DeleteWorkersKVEntry", func() error {
		_, err := api.DeleteWorkersKVEntry(ctx, ofOwner, cloudflare.DeleteWorkersKVEntryParams{NamespaceID: kv, Key: "a key"})
		return err
	})
	do("DeleteWorkersKVEntries", func() error {
		_, err := api.DeleteWorkersKVEntries(ctx, ofOwner,
			cloudflare.DeleteWorkersKVEntriesParams{NamespaceID: kv, Keys: []string{"b"}})
		return err
	})

	database = try("CreateD1Database", func() (cloudflare.D1Database, error) {
		return api.CreateD1Database(ctx, ofOwner, cloudflare.CreateD1DatabaseParams{Name: "go-0"})
	})
	do("ListD1Databases", func() error {
		_, _, err := api.ListD1Databases(ctx, ofOwner, cloudflare.ListD1DatabasesParams{})
		return err
	})
	do("GetD1Database", func() error { _, err := api.GetD1Database(ctx, ofOwner, database.UUID); return err })
	do("QueryD1Database", func() error {
		_, err := api.QueryD1Database(ctx, ofOwner,
			cloudflare.QueryD1DatabaseParams{DatabaseID: database.UUID, SQL: "SELECT ? AS one", Parameters: []string{"1"}})
		return err
	})
	do("QueryD1Database without parameters", func() error {
		_, err := api.QueryD1Database(ctx, ofOwner, cloudflare.QueryD1DatabaseParams{DatabaseID: database.UUID, SQL: "SELECT 1"})
		return err
	})

	do("CreateR2Bucket", func() error {
		_, err := api.CreateR2Bucket(ctx, ofOwner, cloudflare.CreateR2BucketParameters{Name: "go-0"})
		return err
	})
	do("ListR2Buckets", func() error { _, err := api.ListR2Buckets(ctx, ofOwner, cloudflare.ListR2BucketsParams{}); return err })
	do("GetR2Bucket", func() error { _, err := api.GetR2Bucket(ctx, ofOwner, "go-0"); return err })

	for _, queue := range []string{"go-0", "go-0-other"} {
		do("CreateQueue", func() error {
			_, err := api.CreateQueue(ctx, ofOwner, cloudflare.CreateQueueParams{Name: queue})
			return err
		})
	}
	do("ListQueues", func() error { _, _, err := api.ListQueues(ctx, ofOwner, cloudflare.ListQueuesParams{}); return err })
	do("GetQueue", func() error { _, err := api.GetQueue(ctx, ofOwner, "go-0"); return err })
	do("UpdateQueue", func() error {
		_, err := api.UpdateQueue(ctx, ofOwner, cloudflare.UpdateQueueParams{Name: "go-0", UpdatedName: "go-0"})
		return err
	})
}

const module = `import { DurableObject } from "cloudflare:workers";
export class Room extends DurableObject {}
export default { fetch: () => new Response("go"), queue() {}, scheduled() {} };`

func workers() {
	classic := "addEventListener('fetch', (event) => event.respondWith(new Response('classic')))"
	do("UploadWorker, the older format", func() error {
		_, err := api.UploadWorker(ctx, ofOwner, cloudflare.CreateWorkerParams{ScriptName: "go-0-classic", Script: classic})
		return err
	})
	do("UploadWorker, the older format with a binding", func() error {
		_, err := api.UploadWorker(ctx, ofOwner, cloudflare.CreateWorkerParams{ScriptName: "go-0-classic", Script: classic,
			Bindings: map[string]cloudflare.WorkerBinding{"TEXT": cloudflare.WorkerPlainTextBinding{Text: "a"}}})
		return err
	})
	do("UploadWorker, a module", func() error {
		_, err := api.UploadWorker(ctx, ofOwner, cloudflare.CreateWorkerParams{ScriptName: "go-0", Script: module, Module: true,
			CompatibilityDate: "2026-03-01"})
		return err
	})
	bindings := map[string]cloudflare.WorkerBinding{
		"TEXT":    cloudflare.WorkerPlainTextBinding{Text: "a"},
		"SECRET":  cloudflare.WorkerSecretTextBinding{Text: "b"},
		"KV":      cloudflare.WorkerKvNamespaceBinding{NamespaceID: namespace.Result.ID},
		"DB":      cloudflare.WorkerD1DatabaseBinding{DatabaseID: database.UUID},
		"BUCKET":  cloudflare.WorkerR2BucketBinding{BucketName: "go-0"},
		"QUEUE":   cloudflare.WorkerQueueBinding{Binding: "QUEUE", Queue: "go-0"},
		"SERVICE": cloudflare.WorkerServiceBinding{Service: "go-0-classic"},
		"NUMBERS": cloudflare.WorkerAnalyticsEngineBinding{Dataset: "numbers"},
		"FAST":    cloudflare.WorkerHyperdriveBinding{Binding: "FAST", ConfigID: "0123456789abcdef0123456789abcdef"},
		"WASM": cloudflare.WorkerWebAssemblyBinding{
			Module: strings.NewReader("\x00asm\x01\x00\x00\x00")},
	}
	do("UploadWorker with every binding", func() error {
		_, err := api.UploadWorker(ctx, ofOwner, cloudflare.CreateWorkerParams{ScriptName: "go-0-bound", Script: classic,
			Bindings: bindings, Logpush: new(bool), CompatibilityDate: "2026-03-01"})
		return err
	})
	do("ListWorkerBindings", func() error {
		all, err := api.ListWorkerBindings(ctx, ofOwner, cloudflare.ListWorkerBindingsParams{ScriptName: "go-0-bound"})
		if err != nil {
			return err
		}
		for _, each := range all.BindingList {
			if wanted := bindings[each.Name]; wanted == nil || each.Binding.Type() != wanted.Type() {
				return fmt.Errorf("the binding %s came back as %v", each.Name, each.Binding.Type())
			}
		}
		return expect(len(all.BindingList) == len(bindings), "%d of %d bindings", len(all.BindingList), len(bindings))
	})
	do("ListWorkers", func() error {
		_, _, err := api.ListWorkers(ctx, ofOwner, cloudflare.ListWorkersParams{})
		return err
	})
	do("GetWorker", func() error { _, err := api.GetWorker(ctx, ofOwner, "go-0"); return err })
	do("GetWorkersScriptContent", func() error { _, err := api.GetWorkersScriptContent(ctx, ofOwner, "go-0"); return err })
	do("GetWorkersScriptSettings", func() error { _, err := api.GetWorkersScriptSettings(ctx, ofOwner, "go-0"); return err })
	do("UpdateWorkerCronTriggers", func() error {
		_, err := api.UpdateWorkerCronTriggers(ctx, ofOwner, cloudflare.UpdateWorkerCronTriggersParams{ScriptName: "go-0",
			Crons: []cloudflare.WorkerCronTrigger{{Cron: "*/30 * * * *"}}})
		return err
	})
	do("ListWorkerCronTriggers", func() error {
		_, err := api.ListWorkerCronTriggers(ctx, ofOwner, cloudflare.ListWorkerCronTriggersParams{ScriptName: "go-0"})
		return err
	})
	do("SetWorkersSecret", func() error {
		_, err := api.SetWorkersSecret(ctx, ofOwner, cloudflare.SetWorkersSecretParams{ScriptName: "go-0",
			Secret: &cloudflare.WorkersPutSecretRequest{Name: "KEY", Text: "a", Type: "secret_text"}})
		return err
	})
	do("ListWorkersSecrets", func() error {
		_, err := api.ListWorkersSecrets(ctx, ofOwner, cloudflare.ListWorkersSecretsParams{ScriptName: "go-0"})
		return err
	})
	do("DeleteWorkersSecret", func() error {
		_, err := api.DeleteWorkersSecret(ctx, ofOwner,
			cloudflare.DeleteWorkersSecretParams{ScriptName: "go-0", SecretName: "KEY"})
		return err
	})
	do("WorkersGetSubdomain", func() error { _, err := api.WorkersGetSubdomain(ctx, ofOwner); return err })
	route := try("CreateWorkerRoute", func() (cloudflare.WorkerRouteResponse, error) {
		return api.CreateWorkerRoute(ctx, ofZone, cloudflare.CreateWorkerRouteParams{Pattern: name + "/go-0/*", Script: "go-0"})
	})
	do("ListWorkerRoutes", func() error {
		_, err := api.ListWorkerRoutes(ctx, ofZone, cloudflare.ListWorkerRoutesParams{})
		return err
	})
	do("GetWorkerRoute", func() error { _, err := api.GetWorkerRoute(ctx, ofZone, route.ID); return err })
	do("UpdateWorkerRoute", func() error {
		_, err := api.UpdateWorkerRoute(ctx, ofZone,
			cloudflare.UpdateWorkerRouteParams{ID: route.ID, Pattern: name + "/go/*", Script: "go-0"})
		return err
	})
	do("DeleteWorkerRoute", func() error { _, err := api.DeleteWorkerRoute(ctx, ofZone, route.ID); return err })
	domain := try("AttachWorkersDomain", func() (cloudflare.WorkersDomain, error) {
		return api.AttachWorkersDomain(ctx, ofOwner, cloudflare.AttachWorkersDomainParams{ZoneID: zone,
			Hostname: "go-0." + name, Service: "go-0", Environment: "production"})
	})
	do("ListWorkersDomains", func() error {
		all, err := api.ListWorkersDomains(ctx, ofOwner, cloudflare.ListWorkersDomainParams{Hostname: "go-0." + name})
		if err == nil {
			err = expect(len(all) == 1, "%d domains", len(all))
		}
		return err
	})
	do("GetWorkersDomain", func() error { _, err := api.GetWorkersDomain(ctx, ofOwner, domain.ID); return err })
	do("DetachWorkersDomain", func() error { return api.DetachWorkersDomain(ctx, ofOwner, domain.ID) })
	do("CreateQueueConsumer", func() error {
		_, err := api.CreateQueueConsumer(ctx, ofOwner, cloudflare.CreateQueueConsumerParams{QueueName: "go-0-other",
			Consumer: cloudflare.QueueConsumer{ScriptName: "go-0", Settings: cloudflare.QueueConsumerSettings{BatchSize: 5}}})
		return err
	})
	do("ListQueueConsumers", func() error {
		_, _, err := api.ListQueueConsumers(ctx, ofOwner, cloudflare.ListQueueConsumersParams{QueueName: "go-0-other"})
		return err
	})
	do("UpdateQueueConsumer", func() error {
		_, err := api.UpdateQueueConsumer(ctx, ofOwner, cloudflare.UpdateQueueConsumerParams{QueueName: "go-0-other",
			Consumer: cloudflare.QueueConsumer{Name: "go-0", ScriptName: "go-0", Settings: cloudflare.QueueConsumerSettings{BatchSize: 7}}})
		return err
	})
	do("DeleteQueueConsumer", func() error {
		return api.DeleteQueueConsumer(ctx, ofOwner,
			cloudflare.DeleteQueueConsumerParams{QueueName: "go-0-other", ConsumerName: "go-0"})
	})
	do("StartWorkersTail", func() error {
		tail, err := api.StartWorkersTail(ctx, ofOwner, "go-0")
		if err == nil {
			err = api.DeleteWorkersTail(ctx, ofOwner, "go-0", tail.ID)
		}
		return err
	})
	for _, script := range []string{"go-0-bound", "go-0", "go-0-classic"} {
		do("DeleteWorker", func() error {
			return api.DeleteWorker(ctx, ofOwner, cloudflare.DeleteWorkerParams{ScriptName: script})
		})
	}
	do("DeleteWorkersKVNamespace", func() error { _, err := api.DeleteWorkersKVNamespace(ctx, ofOwner, namespace.Result.ID); return err })
	do("DeleteD1Database", func() error { return api.DeleteD1Database(ctx, ofOwner, database.UUID) })
	do("DeleteR2Bucket", func() error { return api.DeleteR2Bucket(ctx, ofOwner, "go-0") })
	for _, queue := range []string{"go-0", "go-0-other"} {
		do("DeleteQueue", func() error { return api.DeleteQueue(ctx, ofOwner, queue) })
	}
}

// A zone that has migrated, with page rules that set what has no effect any more: what a plan reads must be readable.
func migrated() {
	for _, action := range []cloudflare.PageRuleAction{{ID: "waf", Value: "off"}, {ID: "disable_security"}} {
		rule := pageRule("/"+action.ID+"/*", action)
		do("CreatePageRule "+action.ID, func() error { _, err := api.CreatePageRule(ctx, zone, rule); return err })
	}
	do("migrate", func() error {
		if _, err := api.UpdateZoneSetting(ctx, ofZone, cloudflare.UpdateZoneSettingParams{Name: "waf", Value: "on"}); err != nil {
			return err
		}
		path := "/zones/" + zone
		raw, err := api.Raw(ctx, "GET", path+"/waf_migration/config?phase_two=1", nil, nil)
		if err != nil {
			return err
		}
		entry := path + "/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1"
		if _, err := api.Raw(ctx, "PUT", entry, raw.Result, nil); err != nil {
			return err
		}
		for tries := 0; tries < 300; tries++ {
			raw, err := api.Raw(ctx, "GET", path+"/waf_migration/status", nil, nil)
			if err != nil || strings.Contains(string(raw.Result), `"complete"`) {
				return err
			}
			time.Sleep(200 * time.Millisecond)
		}
		return fmt.Errorf("the migration did not complete in a minute")
	})
	do("ListPageRules of a migrated zone", func() error {
		all, err := api.ListPageRules(ctx, zone)
		for _, each := range all {
			if err == nil {
				_, err = api.PageRule(ctx, zone, each.ID)
			}
		}
		return err
	})
}
