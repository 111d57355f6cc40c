package live

import (
	"peernomic/app/view"
	"peernomic/engine/ledger"
	"peernomic/engine/rules"
)

// people is the roster. Here tells by which path somebody is there now, and devices
// what is known of theirs.
func (l *lens) people(here map[int64]string, devices map[int64][]view.Device) *view.People {
	v := &view.People{}
	admit := l.form("admit")
	var view view.Action
	if admit != nil {
		view = actionView(*admit) // once: it offers everybody at the door
	}
	for _, p := range l.w.Players() {
		q := l.person(p.ID)
		q.Here = here[p.ID]
		q.Fingerprint = ledger.Fingerprint(p.Key)
		q.Devices = devices[p.ID]
		if p.Standing == rules.StandingApplicant && admit != nil {
			view := view
			if view.Open && !offers(admit, p.ID) {
				view.Open, view.Reason = false, "not possible now"
			}
			view.Title = "Admit " + p.Name
			q.Admit = &view
		}
		v.People = append(v.People, q)
	}
	for _, a := range l.acts() {
		if a.Form == "" && a.Group == "Roster" {
			v.Actions = append(v.Actions, actionView(a))
		}
	}
	return v
}

// person is somebody in brief.
func (l *lens) person(id int64) view.Person {
	l.name(id)
	p := l.players[id]
	return view.Person{ID: id, Name: p.Name, Standing: p.Standing, Acted: p.Acted, You: id == l.me,
		Admin: l.flag(id, "admin"), Idle: l.flag(id, "idle"), Head: id != 0 && l.head() == id}
}
