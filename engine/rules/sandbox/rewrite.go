package sandbox

import (
	"fmt"
	"unicode"

	"go.starlark.net/syntax"
)

// rewrite replaces every operation of a script that can cost more than its step by a
// call that charges for it, and refuses what scripts may not use. The calls are to
// names that begin with $, which no script can write.
func rewrite(f *syntax.File) (err error) {
	r := &rewriter{}
	defer func() {
		if p := recover(); p != nil {
			refused, ok := p.(*Failure)
			if !ok {
				panic(p)
			}
			err = refused
		}
	}()
	r.block(f.Stmts)
	return nil
}

// rewriter walks a syntax tree. It panics with a *Failure, which rewrite catches.
type rewriter struct {
	depth int
	parts int // statements and expressions so far
}

func refuseAt(pos syntax.Position, format string, args ...any) {
	panic(&Failure{Code: CodeSyntax, Message: fmt.Sprintf(format, args...), Position: positionOf(pos)})
}

func (r *rewriter) enter(n syntax.Node) {
	r.parts++
	if r.depth++; r.depth > MaxTreeDepth {
		refuseAt(place(n), "the script nests more than %d deep", MaxTreeDepth)
	}
}

// place returns where a node is. Unlike [syntax.Start] it does not go down the tree, which
// may be thousands of operators deep before it is refused.
func place(n syntax.Node) syntax.Position {
	switch n := n.(type) {
	case *syntax.BinaryExpr:
		return n.OpPos
	case *syntax.CallExpr:
		return n.Lparen
	case *syntax.DotExpr:
		return n.Dot
	case *syntax.IndexExpr:
		return n.Lbrack
	case *syntax.SliceExpr:
		return n.Lbrack
	case *syntax.CondExpr:
		return n.If
	case *syntax.AssignStmt:
		return n.OpPos
	case *syntax.ExprStmt:
		return place(n.X)
	case *syntax.DictEntry:
		return n.Colon
	case *syntax.TupleExpr:
		if !n.Lparen.IsValid() && len(n.List) > 0 {
			return place(n.List[0])
		}
		return n.Lparen
	case *syntax.UnaryExpr:
		return n.OpPos
	case *syntax.LambdaExpr:
		return n.Lambda
	case *syntax.IfStmt:
		return n.If
	case *syntax.ForStmt:
		return n.For
	case *syntax.DefStmt:
		return n.Def
	case *syntax.ReturnStmt:
		return n.Return
	default: // what begins with a token of its own
		return syntax.Start(n)
	}
}

func (r *rewriter) leave() { r.depth-- }

func (r *rewriter) block(stmts []syntax.Stmt) {
	for i, s := range stmts {
		r.enter(s)
		stmts[i] = r.stmt(s)
		r.leave()
	}
}

func (r *rewriter) stmt(s syntax.Stmt) syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		s.RHS = r.expr(s.RHS)
		if s.Op == syntax.EQ {
			switch on := unparen(s.LHS).(type) {
			case *syntax.IndexExpr:
				r.enter(on)
				defer r.leave()
				return &syntax.ExprStmt{X: call("$set", on.Lbrack, s.RHS, r.expr(on.X), r.expr(on.Y))}
			case *syntax.DotExpr:
				r.enter(on)
				defer r.leave()
				r.name(on.Name)
				return &syntax.ExprStmt{X: call("$setfield", on.Dot, s.RHS, r.expr(on.X), literal(on.NamePos, on.Name.Name))}
			}
			s.LHS = r.target(s.LHS)
			return s
		}
		return r.augmented(s)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.DefStmt:
		r.name(s.Name)
		r.params(s.Params)
		before := r.parts
		r.block(s.Body)
		s.Body = entered(s.Def, s.Body, r.parts-before)
	case *syntax.LoadStmt:
		for i := range s.To {
			r.loaded(s.To[i])
			r.loaded(s.From[i])
		}
	case *syntax.ForStmt:
		s.Vars = r.target(s.Vars)
		s.X = r.expr(s.X)
		r.block(s.Body)
	case *syntax.IfStmt:
		s.Cond = r.expr(s.Cond)
		r.block(s.True)
		r.block(s.False)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = r.expr(s.Result)
		}
	case *syntax.WhileStmt:
		refuseAt(s.While, "there is no while: use for with a range")
	}
	return s
}

// entered puts a call of $enter before the body of a function, but after the text that
// documents it.
func entered(pos syntax.Position, body []syntax.Stmt, parts int) []syntax.Stmt {
	at := 0
	if doc, ok := body[0].(*syntax.ExprStmt); ok {
		if text, ok := doc.X.(*syntax.Literal); ok && text.Token == syntax.STRING {
			at = 1
		}
	}
	out := make([]syntax.Stmt, 0, len(body)+1)
	out = append(out, body[:at]...)
	out = append(out, &syntax.ExprStmt{X: call("$enter", pos, number(pos, parts))})
	return append(out, body[at:]...)
}

// name refuses names that are too long.
func (r *rewriter) name(id *syntax.Ident) {
	if len(id.Name) > MaxIdentifier {
		refuseAt(id.NamePos, "a name may have %d characters, this one has %d", MaxIdentifier, len(id.Name))
	}
}

// loaded checks a name in a load statement, which is written as a text: it may not be that
// of a guard.
func (r *rewriter) loaded(id *syntax.Ident) {
	r.name(id)
	for i, c := range id.Name {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			refuseAt(id.NamePos, "%q is not a name", id.Name)
		}
	}
}

var plainOps = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR, syntax.SLASHSLASH_EQ: syntax.SLASHSLASH,
	syntax.PERCENT_EQ: syntax.PERCENT, syntax.AMP_EQ: syntax.AMP, syntax.PIPE_EQ: syntax.PIPE, syntax.CIRCUMFLEX_EQ: syntax.CIRCUMFLEX,
	syntax.LTLT_EQ: syntax.LTLT, syntax.GTGT_EQ: syntax.GTGT,
}

// augmented rewrites x += y. Its target is evaluated once: x += y becomes
// x = $update(x, y), x[i] += y becomes $updateindex(x, i, y), x.f likewise.
func (r *rewriter) augmented(s *syntax.AssignStmt) syntax.Stmt {
	op, ok := plainOps[s.Op]
	if !ok {
		refuseAt(s.OpPos, "numbers are exact: use // instead of /, which rounds down")
	}
	name := literal(s.OpPos, op.String())
	lhs := unparen(s.LHS)
	if id, ok := lhs.(*syntax.Ident); ok && linear[op] && isNumber(s.RHS) {
		r.name(id)
		return s
	}
	switch lhs := lhs.(type) {
	case *syntax.Ident:
		read := &syntax.Ident{NamePos: lhs.NamePos, Name: lhs.Name}
		return &syntax.AssignStmt{OpPos: s.OpPos, Op: syntax.EQ, LHS: lhs, RHS: call("$update", s.OpPos, name, read, s.RHS)}
	case *syntax.IndexExpr:
		return &syntax.ExprStmt{X: call("$updateindex", s.OpPos, name, r.expr(lhs.X), r.expr(lhs.Y), s.RHS)}
	case *syntax.DotExpr:
		return &syntax.ExprStmt{X: call("$updatefield", s.OpPos, name, r.expr(lhs.X), literal(lhs.NamePos, lhs.Name.Name), s.RHS)}
	default:
		refuseAt(s.OpPos, "this cannot be assigned to with %s", s.Op)
		return nil
	}
}

// target rewrites what is assigned to.
func (r *rewriter) target(e syntax.Expr) syntax.Expr {
	r.enter(e)
	defer r.leave()
	switch e := e.(type) {
	case *syntax.ParenExpr:
		e.X = r.target(e.X)
	case *syntax.TupleExpr:
		for i := range e.List {
			e.List[i] = r.target(e.List[i])
		}
	case *syntax.ListExpr:
		for i := range e.List {
			e.List[i] = r.target(e.List[i])
		}
	case *syntax.IndexExpr:
		e.X = call("$store", e.Lbrack, r.expr(e.X))
		e.Y = call("$key", e.Lbrack, r.expr(e.Y))
	case *syntax.DotExpr: // what would be written is not known here, and fields belong to the host
		refuseAt(e.Dot, "a field is assigned to by itself, not together with others")
	case *syntax.Ident:
		r.name(e)
	}
	return e
}

func (r *rewriter) params(list []syntax.Expr) {
	if len(list) > MaxParams {
		refuseAt(place(list[MaxParams]), "a function may have %d parameters", MaxParams)
	}
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.Ident:
			r.name(p)
		case *syntax.BinaryExpr: // a default
			r.name(p.X.(*syntax.Ident))
			p.Y = r.expr(p.Y)
		case *syntax.UnaryExpr: // * or **
			if id, ok := p.X.(*syntax.Ident); ok {
				r.name(id)
			}
		}
	}
}

var guardedOps = map[syntax.Token]bool{
	syntax.PLUS: true, syntax.MINUS: true, syntax.STAR: true, syntax.PERCENT: true, syntax.AMP: true, syntax.PIPE: true, syntax.CIRCUMFLEX: true,
	syntax.LTLT: true, syntax.EQL: true, syntax.NEQ: true, syntax.LT: true, syntax.LE: true, syntax.GT: true, syntax.GE: true, syntax.IN: true, syntax.NOT_IN: true,
}

func (r *rewriter) expr(e syntax.Expr) syntax.Expr {
	r.enter(e)
	defer r.leave()
	switch e := e.(type) {
	case *syntax.Literal:
		return r.literal(e)
	case *syntax.Ident:
		r.name(e)
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.UnaryExpr:
		if e.X != nil {
			e.X = r.expr(e.X)
		}
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.DotExpr:
		r.name(e.Name)
		e.X = r.expr(e.X)
		return call("$attr", e.Dot, e.X, literal(e.NamePos, e.Name.Name))
	case *syntax.IndexExpr:
		return call("$index", e.Lbrack, r.expr(e.X), r.expr(e.Y))
	case *syntax.SliceExpr:
		e.X = call("$slice", e.Lbrack, r.expr(e.X))
		for _, part := range []*syntax.Expr{&e.Lo, &e.Hi, &e.Step} {
			if *part != nil {
				*part = r.expr(*part)
			}
		}
	case *syntax.CallExpr:
		e.Fn = r.expr(e.Fn)
		for i, a := range e.Args {
			e.Args[i] = r.argument(a)
		}
	case *syntax.ListExpr:
		for i := range e.List {
			e.List[i] = r.expr(e.List[i])
		}
		return call("$new", e.Lbrack, e)
	case *syntax.TupleExpr:
		for i := range e.List {
			e.List[i] = r.expr(e.List[i])
		}
		return call("$new", place(e), e)
	case *syntax.DictExpr:
		for i, item := range e.List {
			entry := item.(*syntax.DictEntry)
			entry.Key = call("$item", place(entry), r.expr(entry.Key), number(place(entry), i))
			entry.Value = r.expr(entry.Value)
		}
		return call("$new", e.Lbrace, e)
	case *syntax.Comprehension:
		return r.comprehension(e)
	case *syntax.LambdaExpr:
		r.params(e.Params)
		before := r.parts
		body := r.expr(e.Body)
		// $enter returns None, so the value is that of the body.
		e.Body = &syntax.BinaryExpr{X: call("$enter", e.Lambda, number(e.Lambda, r.parts-before)), OpPos: e.Lambda, Op: syntax.OR, Y: body}
	}
	return e
}

// literal refuses what is not a text or a number of a reasonable width.
func (r *rewriter) literal(e *syntax.Literal) syntax.Expr {
	switch v := e.Value.(type) {
	case float64:
		if !isDecimal(e.Raw) {
			refuseAt(e.TokenPos, "%s cannot be used: numbers are exact, as 12 or 0.25", cut(e.Raw, 60))
		}
		return call("$decimal", e.TokenPos, literal(e.TokenPos, e.Raw))
	case interface{ BitLen() int }: // a big number
		if v.BitLen() > MaxIntBits {
			refuseAt(e.TokenPos, "a number may have %d bits, this one has %d", MaxIntBits, v.BitLen())
		}
	}
	if e.Token == syntax.BYTES {
		refuseAt(e.TokenPos, "there are no bytes: use a text")
	}
	return e
}

func (r *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	if e.Op == syntax.SLASH {
		refuseAt(e.OpPos, "numbers are exact: use // instead of /, which rounds down")
	}
	if !guardedOps[e.Op] || equality[e.Op] && (cheap(e.X) || cheap(e.Y)) || linear[e.Op] && (isNumber(e.X) || isNumber(e.Y)) {
		return e
	}
	return call("$"+e.Op.String(), e.OpPos, e.X, e.Y)
}

// equality are the comparisons that the language makes of decimals and integers by itself:
// they are never equal.
var equality = map[syntax.Token]bool{syntax.EQL: true, syntax.NEQ: true}

// linear are the operators that cost little if one operand is a number in the script: the
// other one is a number too, or it fails, and the result is hardly wider.
var linear = map[syntax.Token]bool{syntax.PLUS: true, syntax.MINUS: true, syntax.AMP: true, syntax.PIPE: true, syntax.CIRCUMFLEX: true}

// isNumber reports whether e is a number as it is written.
func isNumber(e syntax.Expr) bool {
	e = unparen(e)
	if u, ok := e.(*syntax.UnaryExpr); ok && u.Op == syntax.MINUS {
		e = u.X
	}
	l, ok := e.(*syntax.Literal)
	return ok && l.Token == syntax.INT
}

// cheap reports whether comparing with e costs little, whatever it is compared with.
func cheap(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return e.Name == "None" || e.Name == "True" || e.Name == "False"
	}
	return isNumber(e)
}

func (r *rewriter) argument(a syntax.Expr) syntax.Expr {
	switch a := a.(type) {
	case *syntax.BinaryExpr:
		if a.Op == syntax.EQ { // name=value
			r.name(a.X.(*syntax.Ident))
			a.Y = r.expr(a.Y)
			return a
		}
	case *syntax.UnaryExpr:
		if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
			guard := "$spread"
			if a.Op == syntax.STARSTAR {
				guard = "$named"
			}
			a.X = call(guard, a.OpPos, r.expr(a.X))
			return a
		}
	}
	return r.expr(a)
}

func (r *rewriter) comprehension(e *syntax.Comprehension) syntax.Expr {
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			c.Vars, c.X = r.target(c.Vars), r.expr(c.X)
		case *syntax.IfClause:
			c.Cond = r.expr(c.Cond)
		}
	}
	if entry, ok := e.Body.(*syntax.DictEntry); ok { // a list of pairs first: a dict would not say how full it is
		e.Curly = false
		e.Body = call("$pair", entry.Colon, r.expr(entry.Key), r.expr(entry.Value))
		return call("$dict", e.Lbrack, e)
	}
	e.Body = call("$cell", place(e.Body), r.expr(e.Body))
	return call("$new", e.Lbrack, e)
}

// call makes the syntax of a call to a guard.
func call(guard string, pos syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: guard}, Lparen: pos, Args: args, Rparen: pos}
}

func literal(pos syntax.Position, s string) syntax.Expr {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: fmt.Sprintf("%q", s), Value: s}
}

func number(pos syntax.Position, n int) syntax.Expr {
	return &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: fmt.Sprint(n), Value: int64(n)}
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}
