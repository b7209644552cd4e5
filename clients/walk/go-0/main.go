// Every operation of Cloudflare's SDK for Go before its rewrite (cloudflare-go 0.x), for clients/walk.ts.
//
// First a line of JSON for each operation with the method and path that it calls, found by calling it with a transport that
// sends nothing; then each that is asked for on a line of the input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"

	cloudflare "github.com/cloudflare/cloudflare-go"
)

// A number cannot be a name, so this and its position stand for it.
const numbers = 98765000

var (
	number    = regexp.MustCompile(`^98765(\d{3})$`)
	container = reflect.TypeOf((*cloudflare.ResourceContainer)(nil))
	sent      *http.Request
	out       = os.Stdout
)

type asked struct {
	What string            `json:"what"`
	Path map[string]string `json:"path"`
	Body json.RawMessage   `json:"body"`
}

type nothing struct{}

func (nothing) RoundTrip(request *http.Request) (*http.Response, error) {
	if sent == nil {
		sent = request
	}
	return nil, errors.New("nothing is sent")
}

func print(line any) {
	text, _ := json.Marshal(line)
	fmt.Fprintln(out, string(text))
}

func connect(options ...cloudflare.Option) reflect.Value {
	options = append(options, cloudflare.UsingRetryPolicy(0, 0, 0), cloudflare.UsingRateLimit(10_000))
	api, err := cloudflare.NewWithAPIToken(os.Getenv("GATEHOUSE_TOKEN"), options...)
	if err != nil {
		panic(err)
	}
	return reflect.ValueOf(api)
}

// call answers the error of the operation. What the SDK panics of is one too, as it would be of the program that uses it.
func call(method reflect.Value, arguments []reflect.Value) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	results := method.Call(arguments)
	if len(results) == 0 {
		return nil
	}
	err, _ = results[len(results)-1].Interface().(error)
	return err
}

// eachText calls for every text of a value, with the names that lead to it.
func eachText(value reflect.Value, name string, do func(reflect.Value, string)) {
	switch {
	case value.Kind() == reflect.String && value.CanSet():
		do(value, name)
	case value.Kind() == reflect.Struct:
		for index := range value.NumField() {
			if value.Type().Field(index).IsExported() {
				eachText(value.Field(index), strings.TrimPrefix(name+"_"+value.Type().Field(index).Name, "_"), do)
			}
		}
	}
}

// arguments of a method: those of the path by their positions or the names of fields, the others as `fill` leaves them.
func arguments(method reflect.Value, owner *cloudflare.ResourceContainer, path map[string]string, body json.RawMessage) ([]reflect.Value, error) {
	made := []reflect.Value{reflect.ValueOf(context.Background())}
	kind := method.Type()
	for index := 1; index < kind.NumIn(); index++ {
		if kind.IsVariadic() && index == kind.NumIn()-1 {
			break
		}
		value := reflect.New(kind.In(index)).Elem()
		position := fmt.Sprint(index)
		switch {
		case value.Type() == container:
			value.Set(reflect.ValueOf(owner))
		case value.Kind() == reflect.String:
			if text, isKnown := path[position]; isKnown {
				value.SetString(text)
			} else if path == nil {
				value.SetString("__" + position + "__")
			} else {
				value.SetString(word(body))
			}
		case value.Kind() == reflect.Int:
			value.SetInt(int64(numbers + index))
			if text, isKnown := path[position]; isKnown {
				if _, err := fmt.Sscan(text, value.Addr().Interface()); err != nil {
					return nil, err
				}
			}
		default:
			if path == nil {
				eachText(value, "", func(text reflect.Value, name string) { text.SetString("__" + name + "__") })
			} else if err := fill(value, path, body); err != nil {
				return nil, err
			}
		}
		made = append(made, value)
	}
	return made, nil
}

func fill(value reflect.Value, path map[string]string, body json.RawMessage) error {
	if len(body) > 0 && (value.Kind() == reflect.Slice || value.Kind() == reflect.Struct) {
		err := read(body, value)
		for index := 0; value.Kind() == reflect.Struct && index < value.NumField(); index++ {
			tag := value.Type().Field(index).Tag.Get("json")
			// What is sent is in a field of what the operation takes.
			if (tag == "" || tag == "-" || err != nil) && value.Field(index).CanSet() && read(body, value.Field(index)) == nil {
				err = nil
			}
		}
		if err != nil {
			return err
		}
	}
	eachText(value, "", func(text reflect.Value, name string) {
		if known, isKnown := path[name]; isKnown {
			text.SetString(known)
		}
	})
	upload, isUpload := value.Addr().Interface().(*cloudflare.CreateWorkerParams)
	if isUpload {
		*upload = cloudflare.CreateWorkerParams{ScriptName: path["ScriptName"], Module: true, Script: script(body)}
	}
	return nil
}

// read takes a list for one item, one item for a list, and the items of an object for a list.
func read(body json.RawMessage, value reflect.Value) error {
	kind := value.Type()
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if kind.Kind() != reflect.Struct && kind.Kind() != reflect.Slice {
		return errors.New("neither a list nor an object")
	}
	var list []json.RawMessage
	var object struct{ Items json.RawMessage }
	switch {
	case body[0] == '[' && kind.Kind() == reflect.Struct:
		if err := json.Unmarshal(body, &list); err != nil || len(list) == 0 {
			return err
		}
		body = list[0]
	case body[0] == '{' && kind.Kind() == reflect.Slice:
		if json.Unmarshal(body, &object) == nil && object.Items != nil {
			body = object.Items
		} else {
			body = json.RawMessage("[" + string(body) + "]")
		}
	}
	made := reflect.New(value.Type())
	if err := json.Unmarshal(body, made.Interface()); err != nil {
		return err
	}
	value.Set(made.Elem())
	return nil
}

// word is what an argument takes alone that is a field of what is sent.
func word(body json.RawMessage) string {
	var fields map[string]any
	_ = json.Unmarshal(body, &fields)
	for _, name := range []string{"mode", "value", "expression", "type"} {
		if text, isText := fields[name].(string); isText {
			return text
		}
	}
	return "none"
}

// script is the text of the first file of a body.
func script(body json.RawMessage) string {
	var upload struct {
		Files []struct {
			File struct {
				Text string `json:"text"`
			} `json:"$file"`
		} `json:"files"`
	}
	if json.Unmarshal(body, &upload) != nil || len(upload.Files) == 0 {
		return ""
	}
	return upload.Files[0].File.Text
}

func list() {
	api := connect(cloudflare.BaseURL("http://none/client/v4"), cloudflare.HTTPClient(&http.Client{Transport: nothing{}}))
	for index := range api.NumMethod() {
		method := api.Method(index)
		kind := method.Type()
		if kind.NumIn() == 0 || kind.In(0).String() != "context.Context" || api.Type().Method(index).Name == "Raw" {
			continue
		}
		said := map[string]bool{}
		owners := []*cloudflare.ResourceContainer{
			cloudflare.AccountIdentifier("__account_id__"), cloudflare.ZoneIdentifier("__zone_id__")}
		for _, owner := range owners {
			given, _ := arguments(method, owner, nil, nil)
			sent = nil
			_ = call(method, given)
			if sent == nil || said[sent.URL.Path] {
				continue
			}
			said[sent.URL.Path] = true
			parts := strings.Split(sent.URL.Path, "/")
			for position, part := range parts {
				if found := number.FindStringSubmatch(part); found != nil {
					parts[position] = "__" + strings.TrimLeft(found[1], "0") + "__"
				}
			}
			print(map[string]any{"what": api.Type().Method(index).Name, "method": sent.Method,
				"path": strings.Join(parts, "/"), "usesBody": true})
		}
	}
	fmt.Fprintln(out)
}

func main() {
	// The SDK prints what it meets.
	os.Stdout = os.Stderr
	list()
	api := connect(cloudflare.BaseURL(os.Getenv("GATEHOUSE_API")))
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var wanted asked
		_ = json.Unmarshal(line, &wanted)
		owner := cloudflare.AccountIdentifier(wanted.Path["account_id"])
		if zone, isKnown := wanted.Path["zone_id"]; isKnown {
			owner = cloudflare.ZoneIdentifier(zone)
		}
		method := api.MethodByName(wanted.What)
		given, err := arguments(method, owner, wanted.Path, wanted.Body)
		if err == nil {
			err = call(method, given)
		}
		var problem *string
		if err != nil {
			text := err.Error()
			problem = &text
		}
		print(map[string]any{"what": wanted.What, "problem": problem})
	}
}
