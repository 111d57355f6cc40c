package sandbox

import (
	"fmt"

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
type rewriter struct{ depth int }

func refuseAt(pos syntax.Position, format string, args ...any) {
	panic(&Failure{Code: CodeSyntax, Message: fmt.Sprintf(format, args...), Position: Position{pos.Filename(), int(pos.Line), int(pos.Col)}})
}

func (r *rewriter) enter(n syntax.Node) {
	if r.depth++; r.depth > MaxTreeDepth {
		refuseAt(syntax.Start(n), "the script nests more than %d deep", MaxTreeDepth)
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
			s.LHS = r.target(s.LHS)
			return s
		}
		return r.augmented(s)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.DefStmt:
		r.params(s.Params)
		r.block(s.Body)
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
		refuseAt(s.OpPos, "numbers are whole: use // instead of /")
	}
	name := literal(s.OpPos, op.String())
	switch lhs := unparen(s.LHS).(type) {
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
		e.X = r.expr(e.X)
		e.Y = r.key(e.Y)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
	}
	return e
}

// key rewrites what is used as a key: hashing a tuple may cost much.
func (r *rewriter) key(e syntax.Expr) syntax.Expr {
	e = r.expr(e)
	if _, plain := e.(*syntax.Literal); plain {
		return e
	}
	return call("$key", syntax.Start(e), e)
}

func (r *rewriter) params(list []syntax.Expr) {
	for _, p := range list {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			b.Y = r.expr(b.Y) // a default
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
		if e.Token == syntax.FLOAT {
			refuseAt(e.TokenPos, "numbers are whole: %s cannot be used", e.Raw)
		}
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
		e.X = r.expr(e.X)
		if methods[e.Name.Name] {
			return call("$attr", e.Dot, e.X, literal(e.NamePos, e.Name.Name))
		}
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.key(e.Y)
	case *syntax.SliceExpr:
		e.X = call("$spread", e.Lbrack, r.expr(e.X))
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
		return call("$new", syntax.Start(e), e)
	case *syntax.DictExpr:
		for _, entry := range e.List {
			r.entry(entry.(*syntax.DictEntry))
		}
		return call("$new", e.Lbrace, e)
	case *syntax.Comprehension:
		return r.comprehension(e)
	case *syntax.LambdaExpr:
		r.params(e.Params)
		e.Body = r.expr(e.Body)
	}
	return e
}

func (r *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	if e.Op == syntax.SLASH {
		refuseAt(e.OpPos, "numbers are whole: use // instead of /")
	}
	if !guardedOps[e.Op] || (e.Op == syntax.EQL || e.Op == syntax.NEQ) && (cheap(e.X) || cheap(e.Y)) {
		return e
	}
	return call("$"+e.Op.String(), e.OpPos, e.X, e.Y)
}

// cheap reports whether comparing with e costs little, whatever it is compared with.
func cheap(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return e.Name == "None" || e.Name == "True" || e.Name == "False"
	}
	return false
}

func (r *rewriter) argument(a syntax.Expr) syntax.Expr {
	switch a := a.(type) {
	case *syntax.BinaryExpr:
		if a.Op == syntax.EQ { // name=value
			a.Y = r.expr(a.Y)
			return a
		}
	case *syntax.UnaryExpr:
		if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
			a.X = call("$spread", a.OpPos, r.expr(a.X))
			return a
		}
	}
	return r.expr(a)
}

func (r *rewriter) entry(e *syntax.DictEntry) {
	e.Key = call("$item", syntax.Start(e.Key), r.expr(e.Key))
	e.Value = r.expr(e.Value)
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
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		r.entry(entry)
	} else {
		e.Body = call("$cell", syntax.Start(e.Body), r.expr(e.Body))
	}
	return call("$new", e.Lbrack, e)
}

// call makes the syntax of a call to a guard.
func call(guard string, pos syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: guard}, Lparen: pos, Args: args, Rparen: pos}
}

func literal(pos syntax.Position, s string) syntax.Expr {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: fmt.Sprintf("%q", s), Value: s}
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
