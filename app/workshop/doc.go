// Package workshop is where proposals are written: changes of rules and values, edited beside their
// prose and script, checked by the rules in force while one types, and kept on the device until they
// are sent.
//
// A [Page] holds a draft, which is a list of changes. Each change becomes one amendment, in the form
// that the rules take. Templates write the prose and script of common changes from a form.
package workshop
