// Cloudflare's generated SDK for Go (cloudflare-go 7) against a server: calls of the families that it sends in its own way.
//
// Prints a line of JSON for each call. It is built and run by clients/sdks.ts, with the services that are imported here only:
// all of them take an hour to build.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	cloudflare "github.com/cloudflare/cloudflare-go/v7"
	"github.com/cloudflare/cloudflare-go/v7/accounts"
	"github.com/cloudflare/cloudflare-go/v7/custom_pages"
	"github.com/cloudflare/cloudflare-go/v7/d1"
	"github.com/cloudflare/cloudflare-go/v7/firewall"
	"github.com/cloudflare/cloudflare-go/v7/kv"
	"github.com/cloudflare/cloudflare-go/v7/option"
	"github.com/cloudflare/cloudflare-go/v7/queues"
	"github.com/cloudflare/cloudflare-go/v7/r2"
	"github.com/cloudflare/cloudflare-go/v7/user"
	"github.com/cloudflare/cloudflare-go/v7/workers"
)

var (
	ctx     = context.Background()
	account = cloudflare.F(os.Getenv("GATEHOUSE_ACCOUNT"))
	zone    = cloudflare.F(os.Getenv("GATEHOUSE_ZONE"))
	name    = os.Getenv("GATEHOUSE_ZONE_NAME")
	options = []option.RequestOption{option.WithAPIToken(os.Getenv("GATEHOUSE_TOKEN")),
		option.WithBaseURL(os.Getenv("GATEHOUSE_API") + "/"), option.WithMaxRetries(0)}
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

func main() {
	for _, family := range []func(){people, rules, stores, messages, scripts} {
		family()
	}
}

func people() {
	do("user.Get", func() error { _, err := user.NewUserService(options...).Get(ctx); return err })
	do("user.AuditLogs.List", func() error {
		_, err := user.NewAuditLogService(options...).List(ctx, user.AuditLogListParams{})
		return err
	})
	service := accounts.NewAccountService(options...)
	do("accounts.Get", func() error { _, err := service.Get(ctx, accounts.AccountGetParams{AccountID: account}); return err })
	do("accounts.Members.List and Get", func() error {
		all, err := service.Members.List(ctx, accounts.MemberListParams{AccountID: account})
		if err == nil {
			_, err = service.Members.Get(ctx, all.Result[0].ID, accounts.MemberGetParams{AccountID: account})
		}
		return err
	})
	do("accounts.Roles.List and Get", func() error {
		all, err := service.Roles.List(ctx, accounts.RoleListParams{AccountID: account})
		if err == nil {
			_, err = service.Roles.Get(ctx, all.Result[0].ID, accounts.RoleGetParams{AccountID: account})
		}
		return err
	})
	pages := custom_pages.NewCustomPageService(options...)
	do("customPages.List", func() error {
		_, err := pages.List(ctx, custom_pages.CustomPageListParams{ZoneID: zone})
		return err
	})
}

func rules() {
	service := firewall.NewFirewallService(options...)
	locked := try("firewall.Lockdowns.New", func() (*firewall.Lockdown, error) {
		address := firewall.LockdownIPConfigurationParam{Target: cloudflare.F(firewall.LockdownIPConfigurationTargetIP),
			Value: cloudflare.F("192.0.2.9")}
		return service.Lockdowns.New(ctx, firewall.LockdownNewParams{ZoneID: zone,
			URLs:           cloudflare.F([]firewall.OverrideURLParam{name + "/go-7"}),
			Configurations: cloudflare.F(firewall.ConfigurationParam{address})})
	})
	do("firewall.Lockdowns.Delete", func() error {
		_, err := service.Lockdowns.Delete(ctx, locked.ID, firewall.LockdownDeleteParams{ZoneID: zone})
		return err
	})
}

func stores() {
	databases := d1.NewDatabaseService(options...)
	database := try("d1.Database.New", func() (*d1.D1, error) {
		return databases.New(ctx, d1.DatabaseNewParams{AccountID: account, Name: cloudflare.F("go-7")})
	})
	do("d1.Database.Query", func() error {
		_, err := databases.Query(ctx, database.UUID, d1.DatabaseQueryParams{AccountID: account,
			Body: d1.DatabaseQueryParamsBodyD1SingleQuery{Sql: cloudflare.F("SELECT 1")}})
		return err
	})
	do("d1.Database.Query, a batch", func() error {
		batch := []d1.DatabaseQueryParamsBodyMultipleQueriesBatch{{Sql: cloudflare.F("SELECT 1")}, {Sql: cloudflare.F("SELECT 2")}}
		_, err := databases.Query(ctx, database.UUID, d1.DatabaseQueryParams{AccountID: account,
			Body: d1.DatabaseQueryParamsBodyMultipleQueries{Batch: cloudflare.F(batch)}})
		return err
	})
	do("d1.Database.Delete", func() error {
		_, err := databases.Delete(ctx, database.UUID, d1.DatabaseDeleteParams{AccountID: account})
		return err
	})
	namespaces := kv.NewNamespaceService(options...)
	namespace := try("kv.Namespaces.New", func() (*kv.Namespace, error) {
		return namespaces.New(ctx, kv.NamespaceNewParams{AccountID: account, Title: cloudflare.F("go-7")})
	})
	do("kv.Namespaces.Delete", func() error {
		_, err := namespaces.Delete(ctx, namespace.ID, kv.NamespaceDeleteParams{AccountID: account})
		return err
	})
	buckets := r2.NewBucketService(options...)
	do("r2.Buckets.New", func() error {
		_, err := buckets.New(ctx, r2.BucketNewParams{AccountID: account, Name: cloudflare.F("go-7")})
		return err
	})
	do("r2.Buckets.CORS.Get", func() error {
		_, err := buckets.CORS.Get(ctx, "go-7", r2.BucketCORSGetParams{AccountID: account})
		return err
	})
	do("r2.Buckets.Lifecycle.Get", func() error {
		_, err := buckets.Lifecycle.Get(ctx, "go-7", r2.BucketLifecycleGetParams{AccountID: account})
		return err
	})
	do("r2.Buckets.Delete", func() error {
		_, err := buckets.Delete(ctx, "go-7", r2.BucketDeleteParams{AccountID: account})
		return err
	})
}

func messages() {
	service := queues.NewQueueService(options...)
	queue := try("queues.New", func() (*queues.Queue, error) {
		return service.New(ctx, queues.QueueNewParams{AccountID: account, QueueName: cloudflare.F("go-7")})
	})
	do("queues.Consumers.New", func() error {
		_, err := service.Consumers.New(ctx, queue.QueueID, queues.ConsumerNewParams{AccountID: account,
			Body: queues.ConsumerNewParamsBodyMqHTTPConsumerRequest{
				Type: cloudflare.F(queues.ConsumerNewParamsBodyMqHTTPConsumerRequestTypeHTTPPull)}})
		return err
	})
	do("queues.Messages.Pull and Ack", func() error {
		_, err := service.Messages.Pull(ctx, queue.QueueID, queues.MessagePullParams{AccountID: account, BatchSize: cloudflare.F(5.0)})
		if err == nil {
			_, err = service.Messages.Ack(ctx, queue.QueueID, queues.MessageAckParams{AccountID: account})
		}
		return err
	})
	do("queues.Delete", func() error {
		_, err := service.Delete(ctx, queue.QueueID, queues.QueueDeleteParams{AccountID: account})
		return err
	})
}

// A module, as the SDK takes it: its name and its type go into the form.
type module struct {
	io.Reader
	name string
}

func (m *module) Filename() string    { return m.name }
func (m *module) ContentType() string { return "application/javascript+module" }

func scripts() {
	service := workers.NewScriptService(options...)
	code := &module{bytes.NewBufferString("export default { fetch: () => new Response('go 7'), scheduled() {} };"), "w.js"}
	do("workers.Scripts.Update", func() error {
		_, err := service.Update(ctx, "go-7", workers.ScriptUpdateParams{AccountID: account,
			Files: cloudflare.F([]io.Reader{code}),
			Metadata: cloudflare.F(workers.ScriptUpdateParamsMetadata{MainModule: cloudflare.F("w.js"),
				CompatibilityDate: cloudflare.F("2026-03-01"),
				Bindings: cloudflare.F([]workers.ScriptUpdateParamsMetadataBindingUnion{
					workers.ScriptUpdateParamsMetadataBindingsWorkersBindingKindPlainText{Name: cloudflare.F("TEXT"), Text: cloudflare.F("a"),
						Type: cloudflare.F(workers.ScriptUpdateParamsMetadataBindingsWorkersBindingKindPlainTextTypePlainText)}})})})
		return err
	})
	do("workers.Scripts.List", func() error {
		_, err := service.List(ctx, workers.ScriptListParams{AccountID: account})
		return err
	})
	domains := workers.NewDomainService(options...)
	domain := try("workers.Domains.Update", func() (*workers.DomainUpdateResponse, error) {
		return domains.Update(ctx, workers.DomainUpdateParams{AccountID: account, Hostname: cloudflare.F("go-7." + name),
			Service: cloudflare.F("go-7"), ZoneID: zone})
	})
	do("workers.Domains.List", func() error {
		_, err := domains.List(ctx, workers.DomainListParams{AccountID: account})
		return err
	})
	do("workers.Domains.Delete", func() error {
		return ignore(domains.Delete(ctx, domain.ID, workers.DomainDeleteParams{AccountID: account}))
	})
	do("workers.Scripts.Delete", func() error {
		_, err := service.Delete(ctx, "go-7", workers.ScriptDeleteParams{AccountID: account})
		return err
	})
}

func ignore(results ...any) error {
	err, _ := results[len(results)-1].(error)
	return err
}
